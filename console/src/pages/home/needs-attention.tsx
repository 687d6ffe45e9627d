import type { ManagedStore } from '#sdk';
import { t } from '../../text/t.js';
import type { LiveStore } from '../../data/live/live-store.js';
import { ATTENTION_WORDS } from '../../data/live/reasons.js';
import { toCallNumber, toClock } from '../../text/format.js';
import { StatusBadge } from '../../ui/order-status.js';
import { toHref } from '../../app/router.js';
import { timezoneOf } from '../../data/stores.js';

/** The others are on the board. */
const SHOWN = 8;

/** The orders that someone must see to, those that are to be ready first on top. */
export function NeedsAttention({ store, live }: { readonly store: ManagedStore; readonly live: LiveStore }) {
  const reasons = live.reasons.value;
  const orders = [...(live.orders.value?.values() ?? [])]
    .filter(({ id }) => reasons.has(id))
    .sort((one, other) => one.ready_by.localeCompare(other.ready_by));
  if (orders.length === 0) return null;
  return (
    <section class="panel stack needs-attention" aria-labelledby="needs-attention">
      <div class="spread">
        <h2 id="needs-attention">{t('needs_attention')}</h2>
        <a href={toHref(`/stores/${store.id}/board`)}>
          {orders.length > SHOWN ? t('all_count_on_the_board', { count: orders.length }) : t('to_the_board')}
        </a>
      </div>
      <ul class="rows whole">
        {orders.slice(0, SHOWN).map((order) => (
          <li key={order.id}>
            <span class="row">
              <a class="number" href={toHref(`/stores/${store.id}/orders/${order.id}`)}>
                {toCallNumber(order)}
              </a>
              <bdi class="clamp">{order.customer.name}</bdi>
              <span class="soft number">
                {t('for_time', { time: toClock(order.ready_by, timezoneOf(store)) })}
              </span>
            </span>
            <span class="row">
              <StatusBadge status={order.status} />
              {(reasons.get(order.id) ?? []).map((reason) => (
                <span key={reason} class="badge bad">
                  {ATTENTION_WORDS[reason]}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
