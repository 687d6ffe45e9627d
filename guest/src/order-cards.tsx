import { useState } from 'preact/hooks';
import type { Order } from './api.js';
import { gross } from './basket.js';
import { t } from './language.js';
import { cancel, forgetOrder, isFinal, ownOrders, type OwnOrder } from './orders.js';
import { Notice } from './parts/notice.js';
import { money, place, time } from './place.js';

/** The guest's own orders, the latest first. */
export function OrderCards() {
  if (ownOrders.value.length === 0) return null;
  return (
    <section class="orders" id="orders" tabIndex={-1} aria-label={t('your_orders')}>
      {ownOrders.value.map((own) => (
        <OrderCard key={own.token} own={own} />
      ))}
    </section>
  );
}

const STEPS = ['PENDING', 'ACCEPTED', 'READY', 'FULFILLED'] as const;

function OrderCard({ own: { token, order } }: { readonly own: OwnOrder }) {
  const { number = '', status, ready_by: readyBy, service } = order;
  const step = STEPS.findIndex((one) => one === status);
  const isOver = isFinal(order);
  const [isTooLate, setTooLate] = useState(false);
  return (
    <article class="order" data-status={status} aria-label={t('order_number', { number })}>
      <header>
        <p>
          <span class="soft small">{t('order_number', { number: '' }).trim()}</span>
          <strong class="number">{number}</strong>
          {service !== undefined && <span class="small">{t(service)}</span>}
        </p>
        {isOver && (
          <button type="button" class="link" onClick={() => forgetOrder(token)}>
            {t('hide')}
          </button>
        )}
      </header>
      <p class="status" role="status">
        {wordsFor(order)}
      </p>
      {step >= 0 && (
        <div class="steps" aria-hidden="true">
          {STEPS.map((one, i) => (
            <i key={one} data-done={i <= step} />
          ))}
        </div>
      )}
      {(status === 'PENDING' || status === 'ACCEPTED') && (
        <p class="promise">{t('ready_about', { time: time(readyBy) })}</p>
      )}
      {order.original !== undefined && <Notice kind="info">{t('changed_by_store')}</Notice>}
      <Reason order={order} />
      <Total order={order} isMade={step >= 0} />
      <Contact />
      {isTooLate && <Notice kind="bad">{t('cancel_too_late')}</Notice>}
      {status === 'PENDING' && <CancelButton token={token} onTooLate={() => setTooLate(true)} />}
    </article>
  );
}

function wordsFor({ status }: Order): string {
  const kind = place.value?.place.kind;
  return t(status === 'READY' && kind !== undefined ? `READY_${kind}` : status);
}

const REASONS = [
  'out_of_item',
  'too_busy',
  'closing',
  'not_accepted',
  'problem_in_kitchen',
  'other',
] as const;

function Reason({ order: { reason, reason_text: text } }: { readonly order: Order }) {
  const known = REASONS.find((one) => one === reason);
  if (known === undefined && text === undefined) return null;
  return (
    <p class="reason">
      {known !== undefined && (known !== 'other' || text === undefined) && t(known)} {text}
    </p>
  );
}

/** What was ordered and what it costs, with what the store has changed, and what is still to be paid. */
function Total({ order, isMade }: { readonly order: Order; readonly isMade: boolean }) {
  const { original, due = 0 } = order;
  const price = money(gross(order));
  const before = original && money(gross(original));
  return (
    <>
      {isMade && <p>{due > 0 ? t('pay_at_counter', { amount: money(due) }) : t('paid')}</p>}
      <details open={original !== undefined}>
        <summary>
          {t('total')} {before === undefined || before === price ? price : t('price_now', { price, before })}
        </summary>
        <ul>
          {linesOf(order).map(({ name, was, quantity }) => (
            <li key={name}>
              {was !== quantity && <s>{was} </s>}
              {quantity} × {name}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** By name: how many there were and are. */
function linesOf({ items, original }: Order) {
  const lines = new Map<string, { name: string; was: number; quantity: number }>();
  const count = (list: Order['items'], field: 'was' | 'quantity') => {
    for (const { name, quantity } of list) {
      const line = lines.get(name) ?? { name, was: 0, quantity: 0 };
      lines.set(name, { ...line, [field]: line[field] + quantity });
    }
  };
  count(original?.items ?? items, 'was');
  count(items, 'quantity');
  return [...lines.values()];
}

/** Where to pick it up, and whom to call; tables have neither. */
function Contact() {
  const { address, phone } = place.value?.store ?? {};
  return (
    <>
      {address !== undefined && <p class="small">{address}</p>}
      {phone !== undefined && (
        <a href={`tel:${phone}`}>
          <bdi>{phone}</bdi>
        </a>
      )}
    </>
  );
}

interface CancelProps {
  readonly token: string;
  /** The kitchen has accepted it in the meantime. */
  readonly onTooLate: () => void;
}

function CancelButton({ token, onTooLate }: CancelProps) {
  const [step, setStep] = useState<'idle' | 'asking' | 'busy' | 'failed'>('idle');
  if (step === 'idle' || step === 'failed')
    return (
      <>
        {step === 'failed' && <Notice kind="bad">{t('offline')}</Notice>}
        <button type="button" class="button" onClick={() => setStep('asking')}>
          {t('cancel')}
        </button>
      </>
    );
  const go = async () => {
    setStep('busy');
    const result = await cancel(token);
    if (result === 'too_late') onTooLate();
    setStep(result === 'unknown' ? 'failed' : 'idle');
  };
  return (
    <div role="group" aria-label={t('cancel_sure')} class="sure">
      <p>{t('cancel_sure')}</p>
      <p class="row">
        <button type="button" class="button danger" disabled={step === 'busy'} onClick={() => void go()}>
          {t('cancel_yes')}
        </button>
        <button type="button" class="button" onClick={() => setStep('idle')}>
          {t('cancel_no')}
        </button>
      </p>
    </div>
  );
}
