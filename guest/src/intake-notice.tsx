import { t } from './language.js';
import { Notice } from './parts/notice.js';
import { place, readyBy, time } from './place.js';

/** Whether orders are taken, and for when; if not, until when. */
export function IntakeNotice({ isShort = false }: { readonly isShort?: boolean }) {
  const intake = place.value?.intake;
  if (intake === undefined) return null;
  const { state, until, next_at: nextAt, note, ready_in_minutes: minutes } = intake;
  if (state === 'open' || state === 'busy') {
    if (isShort || minutes === undefined) return null;
    const wanted = readyBy.value;
    return (
      <p class="pace">
        {wanted === undefined
          ? t(state === 'busy' ? 'busy' : 'ready_in', { count: minutes })
          : t('ready_about', { time: time(wanted) })}
      </p>
    );
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
