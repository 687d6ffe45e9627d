import { t } from './language.js';
import { pickTime, place, readyBy, time } from './place.js';

const QUARTER_MS = 15 * 60_000;
const QUARTERS_AHEAD = 2 * 96;

/**
 * When a guest who picks the order up wants it: quarters of two days, from the first that the kitchen can keep. What is full by
 * then is refused with a free one.
 */
export function WhenField() {
  if (place.value?.place.kind !== 'pickup') return null;
  const minutes = place.value.intake.ready_in_minutes ?? 0;
  const first = Math.ceil((Date.now() + minutes * 60_000 + 1) / QUARTER_MS) * QUARTER_MS;
  const quarters = Array.from({ length: QUARTERS_AHEAD }, (_, i) =>
    new Date(first + i * QUARTER_MS).toISOString(),
  );
  const picked = readyBy.value;
  const offered = picked === undefined || quarters.includes(picked) ? quarters : [picked, ...quarters];
  return (
    <label class="field">
      {t('when')}
      <select
        class="input"
        value={picked ?? ''}
        onChange={({ currentTarget: { value } }) => void pickTime(value === '' ? undefined : value)}
      >
        <option value="">{t('soon')}</option>
        {offered.map((at) => (
          <option key={at} value={at}>
            {time(at)}
          </option>
        ))}
      </select>
    </label>
  );
}
