import { useEffect, useState } from 'preact/hooks';
import { commaOf } from '../../src/menus/allergens.js';
import type { OrderRequest } from './api.js';
import {
  count,
  gross,
  isSound,
  lines,
  MOST_LINES,
  MOST_UNITS,
  setQuantity,
  shownLines,
  type ShownLine,
} from './basket.js';
import { listChosen } from './choices.js';
import { contact, findMissing, toCustomer } from './contact.js';
import { ContactFields } from './contact-fields.js';
import { language, t, textOf } from './language.js';
import {
  giveUp,
  keepQuoting,
  movedTotal,
  placeOrder,
  promised,
  refusal,
  sendAgain,
  sending,
  total,
} from './ordering.js';
import { Icon } from './parts/icon.js';
import { Notice } from './parts/notice.js';
import { Sheet } from './parts/sheet.js';
import { Stepper } from './parts/stepper.js';
import { findItem, isOpen, money, pickTime, time } from './place.js';
import { IntakeNotice } from './intake-notice.js';

interface BasketSheetProps {
  readonly onChange: (line: ShownLine) => void;
  readonly onClose: () => void;
}

export function BasketSheet({ onChange, onClose }: BasketSheetProps) {
  const [isStrict, setStrict] = useState(false);
  useEffect(() => keepQuoting(), []);
  const known = shownLines.value.filter(({ item }) => item !== undefined);
  const refused = refusal.value;
  const isBlocked = !isSound.value || known.length === 0 || lines.value.length > MOST_LINES;
  const order = (at?: string) => {
    if (at !== undefined) void pickTime(at);
    setStrict(true);
    if (isBlocked || findMissing() !== undefined) return;
    void placeOrder(detailsOf());
  };
  const footer = (
    <div class="stack tight">
      {sending.value !== 'no' && sending.value !== 'sending' ? (
        <Unsure isLong={sending.value === 'unsure_long'} />
      ) : (
        <Refusals isStrict={isStrict} onOrderFor={order} />
      )}
      <button
        type="button"
        class="button primary wide"
        disabled={!isOpen.value || sending.value !== 'no' || known.length === 0}
        onClick={() => order()}
      >
        <span>{t(sending.value === 'no' ? 'order' : 'sending')}</span>
        <span class="price">{money(gross(total.value))}</span>
      </button>
    </div>
  );
  return (
    <Sheet title={t('basket')} onClose={onClose} {...(count.value > 0 ? { footer } : {})}>
      <div class="stack">
        <IntakeNotice isShort />
        {count.value === 0 && <p class="soft">{t('basket_empty')}</p>}
        <ul class="lines">
          {shownLines.value.map((shown) => (
            <LineRow
              key={shown.line.id}
              shown={shown}
              refused={refused?.ofLines[known.indexOf(shown)]}
              onChange={() => onChange(shown)}
            />
          ))}
        </ul>
        {count.value > 0 && (
          <>
            <dl class="totals">
              <dt>{t('total')}</dt>
              <dd class="price">{money(gross(total.value))}</dd>
              <dd class="soft small">
                {total.value.tax > 0 && t('of_which_tax', { tax: money(total.value.tax) })}
              </dd>
            </dl>
            <ContactFields isStrict={isStrict} />
            <p class="soft small">
              {promised.value !== undefined && <>{t('ready_about', { time: time(promised.value) })}. </>}
              {t('pay_later')}
            </p>
          </>
        )}
      </div>
    </Sheet>
  );
}

function detailsOf(): Omit<OrderRequest, 'items' | 'expected_total'> {
  const comments = contact.value.comments.trim();
  return { ...toCustomer(), ...(comments === '' ? {} : { customer_comments: comments }) };
}

/** Why the order is not on its way, and what can be done about it. */
function Refusals({
  isStrict,
  onOrderFor,
}: {
  readonly isStrict: boolean;
  readonly onOrderFor: (at: string) => void;
}) {
  const refused = refusal.value;
  const moved = movedTotal.value;
  const missing = findMissing();
  if (lines.value.length > MOST_LINES) return <Notice kind="bad">{t('too_many_lines')}</Notice>;
  if (!isSound.value) return <Notice kind="bad">{t('fix_lines')}</Notice>;
  if (isStrict && missing !== undefined) return <Notice kind="bad">{t(missing)}</Notice>;
  if (!isOpen.value) return null;
  if (refused === undefined)
    return moved && <Notice kind="bad">{t('total_moved', { total: money(gross(moved)) })}</Notice>;
  const { message, nextAt } = refused;
  return (
    <Notice kind="bad">
      <p>{message}</p>
      {nextAt !== undefined && (
        <button type="button" class="button" onClick={() => onOrderFor(nextAt)}>
          {t('order_for', { time: time(nextAt) })}
        </button>
      )}
    </Notice>
  );
}

export function Unsure({ isLong }: { readonly isLong: boolean }) {
  return (
    <Notice kind={isLong ? 'bad' : 'wait'}>
      <p>{t(isLong ? 'unsure_long' : 'unsure')}</p>
      {isLong && (
        <p class="row">
          <button type="button" class="button" onClick={sendAgain}>
            {t('send_again')}
          </button>
          <button type="button" class="button" onClick={giveUp}>
            {t('give_up')}
          </button>
        </p>
      )}
    </Notice>
  );
}

interface LineRowProps {
  readonly shown: ShownLine;
  readonly refused: string | undefined;
  readonly onChange: () => void;
}

function LineRow({ shown, refused, onChange }: LineRowProps) {
  const { line, item, unit } = shown;
  const name = textOf(item?.name ?? line.name);
  const chosen = item === undefined ? [] : listChosen(item.modifier_groups, line.choices, findItem);
  const trouble = troubleOf(shown) ?? refused;
  const isDearer = trouble === undefined && item !== undefined && gross(unit) !== line.seen;
  const canBeChanged = item?.in_stock === true;
  return (
    <li class="basket-line">
      <div class="what">
        <h3>{name}</h3>
        {chosen.length > 0 && (
          <p class="soft small">
            {chosen
              .map(
                ({ modifier, quantity }) => `${quantity > 1 ? `${quantity} × ` : ''}${textOf(modifier.name)}`,
              )
              .join(commaOf(language.value))}
          </p>
        )}
        {line.note !== '' && <p class="soft small">“{line.note}”</p>}
        {trouble !== undefined && (
          <p class="bad trouble" role="alert">
            <Icon name="warning" />
            {trouble}
          </p>
        )}
        {isDearer && (
          <p class="bad trouble" role="status">
            {t('price_now', { price: money(gross(unit)), before: money(line.seen) })}
          </p>
        )}
      </div>
      {item !== undefined && <span class="price">{money(gross(unit) * line.quantity)}</span>}
      <div class="row">
        {canBeChanged && (
          <button type="button" class="link" aria-label={t('change', { name })} onClick={onChange}>
            {t('change', { name: '' }).replace(/\s*[:：]\s*$/, '')}
          </button>
        )}
        <button
          type="button"
          class="link"
          aria-label={`${t('remove')}: ${name}`}
          onClick={() => setQuantity(line.id, 0)}
        >
          {t('remove')}
        </button>
      </div>
      {item !== undefined && (
        <Stepper
          name={name}
          value={line.quantity}
          least={1}
          most={MOST_UNITS}
          onChange={(quantity) => setQuantity(line.id, quantity)}
        />
      )}
    </li>
  );
}

function troubleOf({ item, problems }: ShownLine): string | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  // The menu is that of when the order is to be ready; whether another has the dish is not known here.
  if (item === undefined) return t('not_served_then');
  if (first.type === 'sold_out')
    return first.modifier === undefined
      ? t('sold_out')
      : t('name_sold_out', { name: textOf(first.modifier.name) });
  return t('choose_again');
}
