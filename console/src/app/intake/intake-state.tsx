import { useSignal } from '@preact/signals';
import { t } from '../../text/t.js';
import { Button } from '../../ui/button.js';
import { Icon } from '../../ui/icon.js';
import { now } from '../../ui/now.js';
import { say } from '../../ui/toasts.js';
import { Trouble, useTask } from '../../ui/loading.js';
import { may } from '../../data/session.js';
import { describeIntake, type LiveIntake } from './intake.js';
import { IntakeSheet } from './intake-sheet.js';
import './intake.css';

interface IntakeProps extends LiveIntake {
  readonly timezone: string;
}

/** Says whether the store takes orders. People who may change that open the sheet with it. */
export function IntakeState({ intake, change, timezone }: IntakeProps) {
  const isOpened = useSignal(false);
  if (intake === undefined) return null;
  const words = describeIntake(intake, timezone, now.value);
  if (!may('orders:write')) return <span class={`badge intake ${intake.state}`}>{words}</span>;
  return (
    <>
      <Button
        icon="clock"
        look={`intake ${intake.state}`}
        aria-haspopup="dialog"
        onClick={() => (isOpened.value = true)}
      >
        {words}
      </Button>
      {isOpened.value && (
        <IntakeSheet
          intake={intake}
          change={change}
          timezone={timezone}
          onClose={() => (isOpened.value = false)}
        />
      )}
    </>
  );
}

/** On every page of a store that is paused, so that nobody wonders where the orders are. */
export function PauseBar({ intake, change, timezone }: IntakeProps) {
  const { isBusy, error, run } = useTask();
  if (intake?.state !== 'paused') return null;
  const resume = () =>
    run(async () => {
      await change({ pause: null });
      say(t('orders_are_taken_again'));
    });
  return (
    <>
      <div class="notice alarm bad" role="status">
        <Icon name="late" />
        <div>
          <strong>{describeIntake(intake, timezone, now.value)}.</strong> {t('no_new_orders_are_taken')}
          {intake.note !== undefined && (
            <>
              {' '}
              <bdi>{intake.note}</bdi>
            </>
          )}
        </div>
        {may('orders:write') && (
          <Button disabled={isBusy.value} onClick={resume}>
            {t('resume')}
          </Button>
        )}
      </div>
      <Trouble error={error.value} />
    </>
  );
}
