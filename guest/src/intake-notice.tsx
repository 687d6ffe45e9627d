import { t } from './language.js';
import { Notice } from './parts/notice.js';
import { place, time } from './place.js';

/** Whether orders are taken, and if not, until when. */
export function IntakeNotice({ isShort = false }: { readonly isShort?: boolean }) {
  const intake = place.value?.intake;
  if (intake === undefined) return null;
  const { state, until, next_at: nextAt, note, ready_in_minutes: minutes } = intake;
  if (state === 'open' || state === 'busy') {
    if (isShort || minutes === undefined) return null;
    return <p class="pace">{t(state === 'busy' ? 'busy' : 'ready_in', { count: minutes })}</p>;
  }
  const end = until ?? nextAt;
  const sentence = end === undefined ? t(state) : t(`${state}_until`, { time: time(end) });
  return (
    <Notice kind="wait">
      <p>
        <strong>{sentence}</strong> {!isShort && t('reading_only')}
      </p>
      {note !== undefined && <p>{note}</p>}
    </Notice>
  );
}
