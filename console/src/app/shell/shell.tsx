import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { LanguagePicker } from '../../text/language-picker.js';
import { t } from '../../text/t.js';
import { Button } from '../../ui/button.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { sayError } from '../../ui/toasts.js';
import { mayLeave } from '../../ui/unsaved.js';
import { place, toHref } from '../router.js';
import { isOperator, may, session, signOut, type Permission } from '../../data/session.js';
import { usualStore } from '../../data/stores.js';
import { StorePicker } from './store-picker.js';

interface Link {
  /** Below the store, or the console. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** Also current on pages below it. */
  readonly isBranch?: boolean;
  readonly needs?: Permission | 'operator';
}

interface ShownLink extends Link {
  readonly href: string;
}

/** The frame around every page: where one is, and the ways to everything else. */
export function Shell({
  storeId,
  notices,
  children,
}: {
  readonly storeId?: string;
  /** What is said above every page. */
  readonly notices?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const store = storeId ?? usualStore.value?.id;
  const main = useRef<HTMLElement>(null);
  const { path } = place.value;
  const isKitchen = place.value.query.has('kitchen');
  const shown = useRef(path);
  useEffect(() => {
    // A screen reader goes on where the new page begins; the first page is announced by its title.
    if (shown.current !== path) main.current?.focus();
    shown.current = path;
  }, [path]);
  if (isKitchen)
    return (
      <main class="kitchen-mode">
        {notices}
        {children}
      </main>
    );
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        {t('skip_to_the_page')}
      </a>
      <header class="side">
        <a class="mark" href={toHref('/')}>
          <img src="/console/icon.svg" alt="" width="28" height="28" />
          Comanda
        </a>
        <StorePicker storeId={store} />
        <nav aria-label={t('pages')}>
          {store !== undefined && <Links links={storeLinks(store)} />}
          <h2 class="nav-title">{t('installation')}</h2>
          <Links links={installationLinks()} />
        </nav>
        <SignedIn />
      </header>
      <main id="main" ref={main} tabIndex={-1} class="page">
        {notices}
        {children}
      </main>
      <BottomBar storeId={store} />
    </div>
  );
}

const STORE_LINKS: readonly Link[] = [
  { path: '', label: t('home'), icon: 'home' },
  { path: '/board', label: t('board'), icon: 'board' },
  { path: '/orders', label: t('orders'), icon: 'orders', isBranch: true },
  { path: '/menu', label: t('menu'), icon: 'menu', isBranch: true },
  { path: '/sales', label: t('sales'), icon: 'sales', needs: 'read' },
  { path: '/pass', label: t('the_pass'), icon: 'dine_in' },
  { path: '/pickup', label: t('pickup_screen'), icon: 'pickup' },
  { path: '/versions', label: t('menu_versions'), icon: 'versions', isBranch: true },
  { path: '/publish', label: t('publish_a_menu'), icon: 'upload', needs: 'menu:write' },
  { path: '/places', label: t('places'), icon: 'places' },
  { path: '/printers', label: t('printers'), icon: 'print' },
  { path: '/settings', label: t('store_details'), icon: 'edit' },
  { path: '/audit', label: t('audit_title'), icon: 'versions', needs: 'keys:write' },
];

const INSTALLATION_LINKS: readonly Link[] = [
  { path: '/overview', label: t('overview_title'), icon: 'board', needs: 'read' },
  { path: '/stores', label: t('stores'), icon: 'stores' },
  { path: '/merchants', label: t('merchants'), icon: 'merchants' },
  { path: '/webhooks', label: t('webhooks'), icon: 'webhooks', isBranch: true, needs: 'webhooks:write' },
  { path: '/people', label: t('people_and_tablets'), icon: 'people', needs: 'keys:write' },
  { path: '/keys', label: t('keys'), icon: 'keys', needs: 'operator' },
  { path: '/audit', label: t('audit_title'), icon: 'versions', needs: 'keys:write' },
  { path: '/help', label: t('help'), icon: 'help' },
];

/** Those that the key may follow. */
function linksBelow(base: string, links: readonly Link[]): ShownLink[] {
  return links
    .filter(({ needs }) => needs === undefined || (needs === 'operator' ? isOperator() : may(needs)))
    .map((link) => ({ ...link, href: toHref(base + link.path) }));
}

const storeLinks = (id: string) => linksBelow(`/stores/${id}`, STORE_LINKS);
const installationLinks = () => linksBelow('', INSTALLATION_LINKS);

function Links({ links }: { readonly links: readonly ShownLink[] }) {
  return (
    <ul>
      {links.map((link) => (
        <li key={link.href}>
          <a class="nav-link" href={link.href} aria-current={isCurrent(link) ? 'page' : undefined}>
            <Icon name={link.icon} />
            {link.label}
          </a>
        </li>
      ))}
    </ul>
  );
}

function isCurrent({ href, isBranch = false }: ShownLink): boolean {
  const here = toHref(place.value.path);
  return here === href || (isBranch && here.startsWith(`${href}/`));
}

function SignedIn() {
  const state = session.value;
  if (state.is !== 'in') return null;
  const { key, version } = state.session;
  const name = key.label ?? (key.kind === 'operator' ? t('operator') : t('merchant_key'));
  return (
    <div class="signed-in">
      <LanguagePicker />
      <div>
        <bdi>{name}</bdi>
        <div class="small soft">
          {key.kind === 'operator' ? t('may_do_everything') : describePermissions(key.permissions)} ·{' '}
          {version}
        </div>
      </div>
      <Button
        look="quiet square"
        icon="out"
        aria-label={t('sign_out')}
        title={t('sign_out')}
        onClick={() => mayLeave() && void signOut().catch(sayError)}
      />
    </div>
  );
}

function describePermissions(permissions: readonly string[]): string {
  return permissions.every((permission) => permission.endsWith('read'))
    ? t('may_look_not_change')
    : t('merchant_key');
}

/** On a narrow screen: the first four places, those of the day, within reach of a thumb, the rest behind one more tap. */
function BottomBar({ storeId }: { readonly storeId: string | undefined }) {
  const isOpen = useSignal(false);
  const { path } = place.value;
  useEffect(() => {
    isOpen.value = false;
  }, [path]);
  const links = [...(storeId === undefined ? [] : storeLinks(storeId)), ...installationLinks()];
  const [daily, rest] = [links.slice(0, 4), links.slice(4)];
  return (
    <>
      {isOpen.value && (
        <div class="more-sheet" id="more">
          {rest.length > 0 && (
            <nav aria-label={t('more_pages')}>
              <Links links={rest} />
            </nav>
          )}
          <SignedIn />
        </div>
      )}
      <nav class="bottom" aria-label={t('main_pages')}>
        {daily.map((link) => (
          <a key={link.href} href={link.href} aria-current={isCurrent(link) ? 'page' : undefined}>
            <Icon name={link.icon} />
            {link.label}
          </a>
        ))}
        <button
          type="button"
          aria-expanded={isOpen.value}
          aria-controls="more"
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <Icon name="more" />
          {t('more')}
        </button>
      </nav>
    </>
  );
}
