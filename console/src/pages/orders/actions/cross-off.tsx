import { useSignal } from '@preact/signals';
import { ConflictError, type ManagedOrder } from '#sdk';
import { client, may } from '../../../data/session.js';
import { toCallNumber } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { sayError } from '../../../ui/toasts.js';

interface CrossOffProps {
  readonly order: ManagedOrder;
  readonly station: string;
  readonly onChanged: () => void;
}

export function isCrossedOff({ stations_done: done }: ManagedOrder, station: string | undefined): boolean {
  return station !== undefined && done?.includes(station) === true;
}

/** Says that a station has made its part of an order in the kitchen, or has not after all. */
export function CrossOff({ order, station, onChanged }: CrossOffProps) {
  const isBusy = useSignal(false);
  if (order.status !== 'ACCEPTED' || !may('orders:write')) return null;
  const isDone = isCrossedOff(order, station);
  const names = { number: toCallNumber(order), station };
  const press = async () => {
    isBusy.value = true;
    await crossOff(order, station, !isDone).then(onChanged, sayError);
    isBusy.value = false;
  };
  return (
    <Button
      look="cross-off"
      icon={isDone ? 'undo' : 'check'}
      aria-label={isDone ? t('cross_off_undo', names) : t('cross_off_station', names)}
      disabled={isBusy.value}
      onClick={() => void press()}
    >
      {isDone ? t('undo') : <bdi>{station}</bdi>}
    </Button>
  );
}

/** Two stations may be done at once: each adds to what the order says by then, and undoes nothing of the other. */
async function crossOff({ id, ...seen }: ManagedOrder, station: string, isDone: boolean): Promise<void> {
  for (let { stations_done: done = [], revision } = seen; ;) {
    const others = done.filter((one) => one !== station);
    try {
      await client.changeOrder(id, {
        stations_done: isDone ? [...others, station] : others,
        expected_revision: revision,
      });
      return;
    } catch (error) {
      const now = error instanceof ConflictError ? await client.getManagedOrder(id) : undefined;
      if (now === undefined || now.revision === revision) throw error;
      ({ stations_done: done = [], revision } = now);
    }
  }
}
