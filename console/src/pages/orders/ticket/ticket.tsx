import type { ManagedOrder, ManagedStore } from '#sdk';
import { t } from '../../../text/t.js';
import { toCallNumber, toDateTime, toMoney, toNameAtPlace } from '../../../text/format.js';
import { SERVICE_WORDS } from '../../../text/order-words.js';
import { addressOf } from '../order-facts.js';
import { OrderLines } from '../order-lines.js';
import { nameOf, timezoneOf } from '../../../data/stores.js';

/** An order on paper, as it is pinned above the stove and goes into the bag. */
export function Ticket({ order, store }: { readonly order: ManagedOrder; readonly store: ManagedStore }) {
  const timezone = timezoneOf(store);
  const { customer_comments: comments } = order;
  const address = addressOf(order);
  const notes = order.delivery?.notes;
  return (
    <>
      <p>{nameOf(store)}</p>
      <p class="paper-number">{toCallNumber(order)}</p>
      {order.service !== undefined && <p class="paper-service">{SERVICE_WORDS[order.service]}</p>}
      <p>
        <strong>{t('ready_by_time', { time: toDateTime(order.ready_by, timezone) })}</strong>
        <br />
        {t('placed_time', { time: toDateTime(order.created_at, timezone) })}
      </p>
      <p>
        <bdi>{toNameAtPlace(order)}</bdi>
        <br />
        <bdi>{order.customer.phone}</bdi>
        {address !== undefined && (
          <>
            <br />
            <bdi>{address}</bdi>
          </>
        )}
      </p>
      {notes !== undefined && notes !== '' && (
        <p class="paper-comment">
          <bdi>{notes}</bdi>
        </p>
      )}
      <div class="paper-lines">
        <OrderLines items={order.items} />
      </div>
      {comments !== undefined && comments !== '' && (
        <p class="paper-comment">
          <bdi>{comments}</bdi>
        </p>
      )}
      <p class="paper-total">
        <span>{t('total')}</span>
        <span>{toMoney(order.price + order.tax, store.currency)}</span>
      </p>
      <p class="paper-total">
        <span>{order.due === 0 ? t('paid') : t('due')}</span>
        {order.due !== 0 && <span>{toMoney(order.due, store.currency)}</span>}
      </p>
      {order.source !== undefined && (
        <p>
          <bdi>{[order.source.name, order.source.reference].filter(Boolean).join(' ')}</bdi>
        </p>
      )}
    </>
  );
}
