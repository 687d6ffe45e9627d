import type { ManagedStore } from '#sdk';
import { t } from '../../text/t.js';
import type { LiveStore } from '../../data/live/live-store.js';
import { toHref } from '../../app/router.js';

/** What needs doing now. */
export function OpenOrders({ store, live }: { readonly store: ManagedStore; readonly live: LiveStore }) {
  const orders = live.orders.value;
  const late = orders && live.late.value.length;
  const count = (status: string) =>
    orders && [...orders.values()].filter((order) => order.status === status).length;
  const board = toHref(`/stores/${store.id}/board`);
  return (
    <ul class="tiles" aria-label={t('open_orders')}>
      <Tile label={t('waiting_to_be_accepted')} value={count('PENDING')} tone="new" href={board} />
      <Tile label={t('in_the_kitchen')} value={count('ACCEPTED')} tone="kitchen" href={board} />
      <Tile label={t('ready_to_hand_over')} value={count('READY')} tone="ready" href={board} />
      <Tile label={t('late')} value={late} tone={(late ?? 0) > 0 ? 'bad' : ''} href={board} />
    </ul>
  );
}

interface TileProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly tone: string;
  readonly href: string;
}

function Tile({ label, value, tone, href }: TileProps) {
  return (
    <li>
      <a class={`tile ${tone}`} href={href}>
        <span class="tile-value number">{value ?? '–'}</span>
        <span>{label}</span>
      </a>
    </li>
  );
}
