import { useRef } from 'preact/hooks';
import type { Intake, IntakePatch } from '#sdk';
import { toSigned } from '../../text/format.js';
import { t } from '../../text/t.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialogs.js';
import { InputField } from '../../ui/field.js';
import { now } from '../../ui/now.js';
import { say } from '../../ui/toasts.js';
import { Trouble, useTask } from '../../ui/loading.js';
import { describeIntake, toSoon, type LiveIntake } from './intake.js';

const PAUSES = [15, 30, 60];
const DELAYS = [10, 20, 30];

interface IntakeSheetProps {
  readonly intake: Intake;
  readonly change: LiveIntake['change'];
  readonly timezone: string;
  readonly onClose: () => void;
}

/** Stops orders for a while, or promises them for later. */
export function IntakeSheet({ intake, change, timezone, onClose }: IntakeSheetProps) {
  const { isBusy, error, run } = useTask();
  const note = useRef<HTMLDivElement>(null);
  const set = (patch: IntakePatch, words: string) =>
    run(async () => {
      await change(patch);
      say(words);
      onClose();
    });
  const pause = (until?: string) => {
    const text = note.current?.querySelector('input')?.value.trim() ?? '';
    set(
      {
        pause: { ...(until === undefined ? {} : { until }), ...(text === '' ? {} : { note: text }) },
      },
      until === undefined
        ? t('paused_until_tomorrow')
        : t('paused_until_time', { time: toSoon(until, timezone, now.peek()) }),
    );
  };
  return (
    <Dialog title={describeIntake(intake, timezone, now.value)} onClose={onClose}>
      <div class="stack intake-sheet">
        <Trouble error={error.value} />
        {intake.note !== undefined && (
          <p>
            <bdi>{intake.note}</bdi>
          </p>
        )}
        {intake.state === 'paused' && (
          <Button
            look="primary"
            disabled={isBusy.value}
            onClick={() => set({ pause: null }, t('orders_are_taken_again'))}
          >
            {t('resume')}
          </Button>
        )}
        <section class="stack">
          <h3>{intake.state === 'paused' ? t('pause_for_another_time') : t('pause')}</h3>
          <p class="soft">{t('no_new_orders_until_then_orders')}</p>
          <div ref={note}>
            <InputField
              label={t('note')}
              hint={t('shown_while_it_is_paused')}
              maxLength={200}
              placeholder={t('oven_broke')}
            />
          </div>
          <div class="minutes">
            {PAUSES.map((minutes) => (
              <Button key={minutes} disabled={isBusy.value} onClick={() => pause(inMinutes(minutes))}>
                {t('count_minutes', { count: minutes })}
              </Button>
            ))}
            <Button disabled={isBusy.value} onClick={() => pause()}>
              {t('until_tomorrow')}
            </Button>
          </div>
        </section>
        <section class="stack">
          <h3>{t('busy')}</h3>
          <p class="soft">{t('orders_go_on_but_are_promised')}</p>
          <div class="minutes">
            {DELAYS.map((minutes) => (
              <Button
                key={minutes}
                disabled={isBusy.value}
                onClick={() =>
                  set({ busy: { extra_minutes: minutes } }, t('promised_minutes_minutes_later', { minutes }))
                }
              >
                {t('minutes_min', { minutes: toSigned(minutes) })}
              </Button>
            ))}
            {intake.state === 'busy' && (
              <Button
                look="primary"
                disabled={isBusy.value}
                onClick={() => set({ busy: null }, t('promised_as_usual'))}
              >
                {t('no_longer_busy')}
              </Button>
            )}
          </div>
        </section>
      </div>
    </Dialog>
  );
}

function inMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}
