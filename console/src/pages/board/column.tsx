import { useSignal } from '@preact/signals';
import type { ManagedOrder, ManagedStore } from '#sdk';
import { STATUS_WORDS, type OpenStatus } from '../../parts/order-status.js';
import { Card } from './card.js';
import type { Moves } from './moves.js';

interface ColumnProps {
  readonly status: OpenStatus;
  readonly store: ManagedStore;
  readonly orders: readonly ManagedOrder[];
  readonly moves: Moves;
  readonly unseen: readonly ManagedOrder[];
  readonly onTouch: (order: ManagedOrder) => void;
}

const NOTHING: Readonly<Record<OpenStatus, string>> = {
  PENDING: 'Nothing is waiting. A new order appears here by itself.',
  ACCEPTED: 'Nothing is being made. Accept an order to see it here.',
  READY: 'Nothing waits to be handed over.',
};

/** More cards than these nobody reads; they come up as the first ones are done. */
const MOST_CARDS = 60;

export function Column({ status, store, orders, moves, unseen, onTouch }: ColumnProps) {
  const most = useSignal(MOST_CARDS);
  const inTurn = [...orders].sort(
    (one, other) => one.ready_by.localeCompare(other.ready_by) || one.id.localeCompare(other.id),
  );
  const more = inTurn.length - most.value;
  return (
    <section class={`column ${status.toLowerCase()}`} aria-labelledby={`column-${status}`}>
      <h2 id={`column-${status}`}>
        {STATUS_WORDS[status]} <span class="count">{orders.length}</span>
      </h2>
      {orders.length === 0 ? (
        <p class="nothing">{NOTHING[status]}</p>
      ) : (
        <ul class="tickets">
          {inTurn.slice(0, most.value).map((order) => (
            <li key={order.id}>
              <Card
                order={order}
                store={store}
                moves={moves}
                isNew={unseen.some(({ id }) => id === order.id)}
                onTouch={() => onTouch(order)}
              />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <button type="button" class="button" onClick={() => (most.value += MOST_CARDS)}>
          Show {more} more
        </button>
      )}
    </section>
  );
}
