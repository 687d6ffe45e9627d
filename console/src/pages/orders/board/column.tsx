import { useSignal } from '@preact/signals';
import type { ManagedOrder, ManagedStore } from '#sdk';
import { t } from '../../../text/t.js';
import type { LiveStore } from '../../../data/live/live-store.js';
import { Button } from '../../../ui/button.js';
import { STATUS_WORDS, type OpenStatus } from '../../../ui/order-status.js';
import { Card } from './card.js';
import type { BoardStation } from './station.js';
import { isCrossedOff } from '../actions/cross-off.js';
import type { Moves } from '../actions/moves.js';

interface ColumnProps {
  /** `later`: orders of any status for another day. */
  readonly status: OpenStatus | 'later';
  readonly store: ManagedStore;
  readonly orders: readonly ManagedOrder[];
  readonly moves: Moves;
  readonly station: BoardStation;
  readonly unseen: readonly ManagedOrder[];
  readonly reasons: LiveStore['reasons']['value'];
  readonly onTouch: (order: ManagedOrder) => void;
  readonly onChanged: (order: ManagedOrder) => void;
}

const NOTHING: Readonly<Record<ColumnProps['status'], string>> = {
  later: '',
  PENDING: t('nothing_is_waiting_a_new_order'),
  ACCEPTED: t('nothing_is_being_made_accept_an'),
  READY: t('nothing_waits_to_be_handed_over'),
};

/** More cards than these nobody reads; they come up as the first ones are done. */
const MOST_CARDS = 60;

export function Column(props: ColumnProps) {
  const { status, store, orders, moves, station, unseen, reasons, onTouch, onChanged } = props;
  const most = useSignal(MOST_CARDS);
  const isDone = (order: ManagedOrder) => Number(isCrossedOff(order, station.chosen));
  const inTurn = [...orders].sort(
    (one, other) =>
      isDone(one) - isDone(other) ||
      one.ready_by.localeCompare(other.ready_by) ||
      one.id.localeCompare(other.id),
  );
  const more = inTurn.length - most.value;
  return (
    <section class={`column ${status.toLowerCase()}`} aria-labelledby={`column-${status}`}>
      <h2 id={`column-${status}`}>
        {status === 'later' ? t('later_orders') : STATUS_WORDS[status]}{' '}
        <span class="count">{orders.length}</span>
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
                station={station}
                isNew={
                  order.status === 'PENDING' &&
                  (status === 'later' ? !order.is_read : unseen.some(({ id }) => id === order.id))
                }
                reasons={reasons.get(order.id) ?? []}
                onTouch={() => onTouch(order)}
                onChanged={() => onChanged(order)}
              />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Button onClick={() => (most.value += MOST_CARDS)}>{t('show_count_more', { count: more })}</Button>
      )}
    </section>
  );
}
