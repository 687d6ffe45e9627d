import { useSignal } from '@preact/signals';
import type { ManagedOrder } from '#sdk';
import { client } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialogs.js';
import { toCallNumber, toClock, toSigned } from '../../../text/format.js';
import { now } from '../../../ui/now.js';
import { say, sayError } from '../../../ui/toasts.js';
import { Trouble, useTask } from '../../../ui/loading.js';

const MINUTES = [5, 10, 15, 20, 30, 45];

interface MoreMinutesProps {
  readonly order: ManagedOrder;
  readonly timezone: string;
  readonly onChanged: () => void;
}

/** Promises an order for later; of one that is late already, counted from now. */
export function MoreMinutes({ order, timezone, onChanged }: MoreMinutesProps) {
  const isAsking = useSignal(false);
  const { isBusy, error, run } = useTask();
  const number = toCallNumber(order);
  const give = (readyBy: string) =>
    run(async () => {
      await promiseLater({ order, timezone, onChanged }, readyBy);
      isAsking.value = false;
    });
  return (
    <>
      <Button
        icon="clock"
        aria-label={t('more_minutes_for_number', { number })}
        onClick={() => (isAsking.value = true)}
      >
        {t('more_minutes')}
      </Button>
      {isAsking.value && (
        <Dialog title={t('more_minutes_for_number', { number })} onClose={() => (isAsking.value = false)}>
          <Trouble error={error.value} />
          <p>
            {t('it_is_promised_for_time_everyone', {
              time: toClock(order.ready_by, timezone),
            })}
          </p>
          <div class="minutes">
            {MINUTES.map((minutes) => {
              const readyBy = laterBy(order.ready_by, minutes);
              return (
                <Button key={minutes} disabled={isBusy.value} onClick={() => give(readyBy)}>
                  {t('minutes_min', { minutes: toSigned(minutes) })}{' '}
                  <span class="soft number">{toClock(readyBy, timezone)}</span>
                </Button>
              );
            })}
          </div>
        </Dialog>
      )}
    </>
  );
}

const QUICK_MINUTES = [5, 10, 15];

/** The same in one tap, where a card has no room to ask. */
export function QuickMinutes({ order, timezone, onChanged }: MoreMinutesProps) {
  const { isBusy, error, run } = useTask();
  const number = toCallNumber(order);
  return (
    <>
      <Trouble error={error.value} />
      {QUICK_MINUTES.map((minutes) => (
        <Button
          key={minutes}
          aria-label={t('minutes_more_minutes_for_number', { minutes, number })}
          disabled={isBusy.value}
          onClick={() =>
            run(() => promiseLater({ order, timezone, onChanged }, laterBy(order.ready_by, minutes)))
          }
        >
          {toSigned(minutes)}
        </Button>
      ))}
    </>
  );
}

async function promiseLater(
  { order, timezone, onChanged }: MoreMinutesProps,
  readyBy: string,
): Promise<void> {
  const promise = async (time: string) => {
    await client.changeOrder(order.id, { ready_by: time });
    onChanged();
  };
  await promise(readyBy);
  const words = { number: toCallNumber(order), time: toClock(readyBy, timezone) };
  say(t('number_is_promised_for_time', words), {
    label: t('undo'),
    run: () => void promise(order.ready_by).catch(sayError),
  });
}

function laterBy(readyBy: string, minutes: number): string {
  const from = Math.max(Date.parse(readyBy), now.value);
  return new Date(from + minutes * 60_000).toISOString();
}
