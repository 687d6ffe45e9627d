import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, gross, total, type BasketLine } from './basket.js';
import { BasketSheet, Unsure } from './basket-sheet.js';
import { IntakeNotice } from './intake-notice.js';
import { ItemSheet } from './item-sheet.js';
import { language, languages, nameOfLanguage, pickLanguage, t, textOf } from './language.js';
import { MenuList } from './menu-list.js';
import { OrderCards } from './order-cards.js';
import { sending } from './ordering.js';
import { ownOrders } from './orders.js';
import { Icon } from './parts/icon.js';
import { Notice } from './parts/notice.js';
import { code, connection, findItem, isLoaded, isOpen, money, place, refresh } from './place.js';
import { WhenField } from './when-field.js';

/** An item of the menu, or a line of the basket that is being changed. */
interface OpenItem {
  readonly item: string;
  readonly line?: BasketLine;
}

export function App() {
  const [open, setOpen] = useState<OpenItem | undefined>(undefined);
  const [isBasketOpen, setBasketOpen] = useState(false);
  const item = open && findItem(open.item);
  const isGone = open !== undefined && item === undefined;
  useEffect(() => {
    if (isGone) setOpen(undefined);
  }, [isGone]);
  useOrderTaken(() => setBasketOpen(false));
  useTitle();
  return (
    <>
      <Header />
      <main>
        {connection.value === 'lost' && (
          <Notice kind="wait">
            <p>{t('offline')}</p>
            <button type="button" class="button" onClick={() => void refresh()}>
              {t('try_again')}
            </button>
          </Notice>
        )}
        {!isBasketOpen && sending.value !== 'no' && sending.value !== 'sending' && (
          <Unsure isLong={sending.value === 'unsure_long'} />
        )}
        <OrderCards />
        {connection.value === 'not_found' ? (
          <NotFound />
        ) : (
          <MenuOfPlace hasTime={!isBasketOpen} onOpen={(id) => setOpen({ item: id })} />
        )}
      </main>
      {count.value > 0 && connection.value !== 'not_found' && (
        <div class="basket-bar">
          <button type="button" class="button primary wide" onClick={() => setBasketOpen(true)}>
            <span class="count">{count.value}</span>
            <span>{t('see_basket')}</span>
            <span class="price">{money(gross(total.value))}</span>
          </button>
        </div>
      )}
      {isBasketOpen && open === undefined && (
        <BasketSheet
          onClose={() => setBasketOpen(false)}
          onChange={({ line }) => setOpen({ item: line.item, line })}
        />
      )}
      {open !== undefined && item !== undefined && (
        <ItemSheet
          key={open.line?.id ?? open.item}
          item={item}
          line={open.line}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

interface MenuOfPlaceProps {
  /** Whether the time is chosen here, and not in the basket. */
  readonly hasTime: boolean;
  readonly onOpen: (externalId: string) => void;
}

function MenuOfPlace({ hasTime, onOpen }: MenuOfPlaceProps) {
  if (!isLoaded.value) return connection.value === 'fine' ? <p class="empty">{t('loading')}</p> : null;
  const welcome = textOf(place.value?.welcome);
  return (
    <>
      {welcome !== '' && <p class="welcome">{welcome}</p>}
      <IntakeNotice />
      {hasTime && isOpen.value && <WhenField />}
      <MenuList onOpen={({ external_id: externalId }) => onOpen(externalId)} />
    </>
  );
}

function NotFound() {
  return (
    <div class="not-found">
      <h1>{t('place_not_found')}</h1>
      <p class="soft">{t('place_not_found_hint')}</p>
    </div>
  );
}

function Header() {
  const here = connection.value === 'not_found' ? undefined : place.value;
  return (
    <header class="top">
      <p>{here !== undefined && <span class="place">{here.place.label}</span>}</p>
      <label class="language">
        <Icon name="globe" />
        <span class="hidden-label">{t('language')}</span>
        <select value={language.value} onChange={({ currentTarget }) => pickLanguage(currentTarget.value)}>
          {languages.value.map((tag) => (
            <option key={tag} value={tag} lang={tag}>
              {nameOfLanguage(tag)}
            </option>
          ))}
        </select>
      </label>
      {here !== undefined && <h1>{textOf(here.store.name)}</h1>}
    </header>
  );
}

/** When an order has been taken, the guest is shown it. */
function useOrderTaken(onTaken: () => void): void {
  const known = useRef(ownOrders.peek().length);
  useSignalEffect(() => {
    const isMore = ownOrders.value.length > known.current;
    known.current = ownOrders.value.length;
    if (!isMore) return;
    onTaken();
    requestAnimationFrame(() => {
      scrollTo({ top: 0 });
      document.getElementById('orders')?.focus({ preventScroll: true });
    });
  });
}

/** The tab, and the icon on a home screen, have the name of the store. */
function useTitle(): void {
  const name = textOf(place.value?.store.name);
  useEffect(() => {
    if (name === '') return;
    document.title = name;
    const link = document.querySelector('link[rel=manifest]') ?? document.createElement('link');
    link.setAttribute('rel', 'manifest');
    link.setAttribute(
      'href',
      `/order/${encodeURIComponent(code)}/app.webmanifest?name=${encodeURIComponent(name)}`,
    );
    document.head.append(link);
  }, [name]);
}
