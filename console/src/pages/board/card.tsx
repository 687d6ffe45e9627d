import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ManagedOrder, ManagedStore } from '#sdk';
import { toCallNumber, toClock, toCount, toMoney } from '../../parts/format.js';
import { Icon } from '../../parts/icon.js';
import { now } from '../../parts/now.js';
import { OrderLines } from '../../parts/order-lines.js';
import { STATUS_WORDS, type OpenStatus } from '../../parts/order-status.js';
import { Timing, urgencyOf } from '../../parts/timing.js';
import { Trouble } from '../../parts/trouble.js';
import { toHref } from '../../router.js';
import { may } from '../../session.js';
import { timezoneOf } from '../../stores.js';
import { EndDialog } from './end-dialog.js';
import type { Move, Moves } from './moves.js';

interface CardProps {
  readonly order: ManagedOrder;
  readonly store: ManagedStore;
  readonly moves: Moves;
  /** Nobody has touched it yet. */
  readonly isNew: boolean;
  readonly onTouch: () => void;
}

/** The way on from each status, as the button says it. */
const ON: Readonly<
  Record<OpenStatus, { readonly to: 'ACCEPTED' | 'READY' | 'FULFILLED'; readonly label: string }>
> = {
  PENDING: { to: 'ACCEPTED', label: 'Accept' },
  ACCEPTED: { to: 'READY', label: 'Ready' },
  READY: { to: 'FULFILLED', label: 'Hand over' },
};

const MOST_LINES = 12;

/** An order as the kitchen reads it from two metres away. */
export function Card({ order, store, moves, isNew, onTouch }: CardProps) {
  const urgency = useComputed(() => urgencyOf(order.ready_by, now.value)).value;
  const move = moves.pending.value.get(order.id);
  const refusal = moves.refusals.value.get(order.id);
  const number = toCallNumber(order);
  return (
    <article
      class="ticket"
      data-urgency={urgency}
      data-new={isNew}
      aria-label={`Order ${number}`}
      onClick={onTouch}
    >
      <div class="ticket-head">
        <a class="call-number" href={toHref(`/stores/${store.id}/orders/${order.id}`)}>
          {number}
        </a>
        <Timing readyBy={order.ready_by} />
      </div>
      <div class="ticket-who">
        <bdi class="clamp">{order.customer.name}</bdi>
        {isNew && <span class="badge new">New</span>}
      </div>
      <div class="ticket-items">
        <OrderLines items={order.items} most={MOST_LINES} />
      </div>
      {order.customer_comments !== undefined && order.customer_comments !== '' && (
        <p class="ticket-comment">
          <Icon name="comment" />
          <bdi>{order.customer_comments}</bdi>
        </p>
      )}
      <div class="ticket-foot soft small">
        <span>
          {toClock(order.created_at, timezoneOf(store))} → {toClock(order.ready_by, timezoneOf(store))} ·{' '}
          {toCount(order.items.length, 'line')}
        </span>
        <span class="number">{toMoney(order.price + order.tax, store.currency)}</span>
      </div>
      {refusal !== undefined && <Trouble error={refusal} />}
      {may('orders:write') && <Actions order={order} move={move} moves={moves} />}
    </article>
  );
}

function Actions({ order, move, moves }: { order: ManagedOrder; move: Move | undefined; moves: Moves }) {
  const isEnding = useSignal(false);
  const onButton = useRef<HTMLButtonElement>(null);
  const wasHeld = useRef(false);
  useEffect(() => {
    if (wasHeld.current) focusIfLost(onButton.current);
    wasHeld.current = move !== undefined;
  }, [move]);
  const number = toCallNumber(order);
  const on = ON[order.status as OpenStatus];
  if (move !== undefined) return <Held number={number} move={move} onUndo={() => moves.undo(order.id)} />;
  return (
    <div class="ticket-actions">
      <button
        ref={onButton}
        type="button"
        class="button primary"
        aria-label={`${on.label} ${number}`}
        onClick={() => moves.start(order, on.to)}
      >
        <Icon name="check" />
        {on.label}
      </button>
      <button
        type="button"
        class="button"
        aria-label={`${order.status === 'PENDING' ? 'Reject' : 'Cancel'} ${number}`}
        onClick={() => (isEnding.value = true)}
      >
        {order.status === 'PENDING' ? 'Reject' : 'Cancel'}
      </button>
      {isEnding.value && (
        <EndDialog
          order={order}
          onClose={() => (isEnding.value = false)}
          onEnd={(to) => {
            isEnding.value = false;
            moves.start(order, to, { isHeld: false });
          }}
        />
      )}
    </div>
  );
}

/** Whoever works by keyboard goes on where the button was that they pressed. */
function focusIfLost(button: HTMLButtonElement | null): void {
  if (document.activeElement === document.body) button?.focus();
}

/** A tap that can still be taken back, and how long. */
function Held({ number, move, onUndo }: { number: string; move: Move; onUndo: () => void }) {
  const seconds = useComputed(() =>
    move.at === undefined ? 0 : Math.max(0, Math.ceil((move.at - now.value) / 1000)),
  ).value;
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => focusIfLost(undo.current), []);
  return (
    <div class="ticket-held" role="status">
      <span>
        {STATUS_WORDS[move.to]} {move.at === undefined ? '…' : `in ${seconds} s`}
      </span>
      <button
        ref={undo}
        type="button"
        class="button"
        aria-label={`Undo ${number}`}
        disabled={move.at === undefined}
        onClick={onUndo}
      >
        <Icon name="undo" />
        Undo
      </button>
      {move.at !== undefined && <span class="held-bar" />}
    </div>
  );
}
