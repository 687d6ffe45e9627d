import type { ManagedStore } from '#sdk';
import { readOpenOrders } from '../../read-open-orders.js';
import { now } from '../../parts/now.js';
import { urgencyOf } from '../../parts/timing.js';
import { Trouble } from '../../parts/trouble.js';
import { useLoad } from '../../parts/use-load.js';
import { toHref } from '../../router.js';
import { useComputed } from '@preact/signals';

/** What needs doing now. */
export function OpenOrders({ store, turn }: { readonly store: ManagedStore; readonly turn: number }) {
  const { value, error, reload } = useLoad((signal) => readOpenOrders(store.id, signal), [store.id, turn]);
  const late = useComputed(
    () => value.value?.filter(({ ready_by: readyBy }) => urgencyOf(readyBy, now.value) === 'late').length,
  ).value;
  if (error.value !== undefined) return <Trouble error={error.value} retry={reload} />;
  const count = (status: string) => value.value?.filter((order) => order.status === status).length;
  const board = toHref(`/stores/${store.id}/board`);
  return (
    <ul class="tiles" aria-label="Open orders">
      <Tile label="Waiting to be accepted" value={count('PENDING')} tone="new" href={board} />
      <Tile label="In the kitchen" value={count('ACCEPTED')} tone="kitchen" href={board} />
      <Tile label="Ready to hand over" value={count('READY')} tone="ready" href={board} />
      <Tile label="Late" value={late} tone={(late ?? 0) > 0 ? 'bad' : ''} href={board} />
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
