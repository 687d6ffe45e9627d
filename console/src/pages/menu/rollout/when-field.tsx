import type { Signal } from '@preact/signals';
import { fromWall } from '../../../../../src/calendar/wall-clock.js';
import { DAY_MS } from '../../../../../src/support/datetime.js';
import { t } from '../../../text/t.js';
import { InputField } from '../../../ui/field.js';

interface WhenFieldProps {
  /** What is typed, on the clock of the store; empty: at once. */
  readonly wall: Signal<string>;
  readonly timezone: string;
}

const MOST_DAYS = 366;

/** Whether a menu can be published then. */
export function canBePublishedAt(wall: string, timezone: string): boolean {
  const ahead = fromWall(wall, timezone) - Date.now();
  return wall === '' || (ahead > 0 && ahead <= MOST_DAYS * DAY_MS);
}

/** When a menu is to be published. */
export function WhenField({ wall, timezone }: WhenFieldProps) {
  return (
    <InputField
      label={t('when_in_timezone', { timezone: timezone.replaceAll('_', ' ') })}
      hint={t('left_empty_at_once')}
      error={canBePublishedAt(wall.value, timezone) ? undefined : t('choose_a_time_ahead')}
      type="datetime-local"
      value={wall.value}
      onInput={(event) => (wall.value = event.currentTarget.value)}
    />
  );
}
