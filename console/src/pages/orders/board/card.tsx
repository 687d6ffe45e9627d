import { useComputed } from '@preact/signals';
import type { ManagedOrder, ManagedStore } from '#sdk';
import { t } from '../../../text/t.js';
import { ATTENTION_WORDS, type BoardReason } from '../../../data/live/reasons.js';
import { toCallNumber, toClock, toMoney } from '../../../text/format.js';
import { Button } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';
import { now } from '../../../ui/now.js';
import { Due, Service, Source } from '../order-facts.js';
import { OrderLines } from '../order-lines.js';
import { TicketHead } from '../ticket-head.js';
import { urgencyOf } from '../timing.js';
import { toSoon } from '../../../app/intake/intake.js';
import { timezoneOf } from '../../../data/stores.js';
import { linesAt, type BoardStation } from './station.js';
import type { Moves } from '../actions/moves.js';
import { CrossOff, isCrossedOff } from '../actions/cross-off.js';
import { QuickMinutes } from '../actions/more-minutes.js';
import { printTicket } from '../ticket/print-ticket.js';
import { may } from '../../../data/session.js';
import { OrderActions } from '../actions/order-actions.js';

interface CardProps {
  readonly order: ManagedOrder;
  readonly store: ManagedStore;
  readonly moves: Moves;
  readonly station: BoardStation;
  /** Nobody has touched it yet. */
  readonly isNew: boolean;
  readonly reasons: readonly BoardReason[];
  readonly onTouch: () => void;
  readonly onChanged: () => void;
}

const MOST_LINES = 12;

/** An order as the kitchen reads it from two metres away. */
export function Card({ order, store, moves, station, isNew, reasons, onTouch, onChanged }: CardProps) {
  const urgency = useComputed(() => urgencyOf(order.ready_by, now.value)).value;
  const number = toCallNumber(order);
  const here = linesAt(station, order);
  // How late it is stands beside its number.
  const others = reasons.filter((reason) => reason !== 'late');
  const elsewhere = order.items.length - here.length;
  return (
    <article
      class="ticket"
      data-urgency={urgency}
      data-new={isNew}
      data-attention={reasons.length > 0}
      data-done={order.status === 'ACCEPTED' && isCrossedOff(order, station.chosen)}
      aria-label={t('order_number', { number })}
      onClick={onTouch}
    >
      <TicketHead order={order} storeId={store.id} isTimed>
        {isNew && <span class="badge new">{t('new_order')}</span>}
      </TicketHead>
      <div class="row ticket-facts">
        <Service service={order.service} />
        <Due due={order.due} currency={store.currency} />
        <Source source={order.source} />
      </div>
      {others.length > 0 && (
        <div class="row">
          {others.map((reason) => (
            <span key={reason} class="badge bad">
              <Icon name="warning" />
              {ATTENTION_WORDS[reason]}
            </span>
          ))}
        </div>
      )}
      <div class="ticket-items">
        <OrderLines
          items={here}
          most={MOST_LINES}
          stationOf={station.chosen === undefined ? station.of : undefined}
        />
        {elsewhere > 0 && (
          <p class="soft small">
            {t('and_count_lines_of_other_stations', {
              count: elsewhere,
            })}
          </p>
        )}
      </div>
      {order.customer_comments !== undefined && order.customer_comments !== '' && (
        <p class="ticket-comment">
          <Icon name="comment" />
          <bdi>{order.customer_comments}</bdi>
        </p>
      )}
      <div class="ticket-foot soft small">
        <span>
          <bdi dir="ltr">
            {toClock(order.created_at, timezoneOf(store))} →{' '}
            {toSoon(order.ready_by, timezoneOf(store), now.value)}
          </bdi>{' '}
          · {t('count_lines', { count: order.items.length })}
        </span>
        <span class="number">{toMoney(order.price + order.tax, store.currency)}</span>
      </div>
      <div class="ticket-more">
        {may('orders:write') && order.status !== 'READY' && (
          <QuickMinutes order={order} timezone={timezoneOf(store)} onChanged={onChanged} />
        )}
        <Button
          icon="print"
          aria-label={t('print_number', { number })}
          title={t('print')}
          onClick={() => printTicket(order, store)}
        />
      </div>
      {station.chosen !== undefined && (
        <CrossOff order={order} station={station.chosen} onChanged={onChanged} />
      )}
      <OrderActions order={order} moves={moves} />
    </article>
  );
}
