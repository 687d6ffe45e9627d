import { ApiError, ConnectionError, TimeoutError, type ErrorDetail } from '#sdk';
import { t } from './t.js';

const UNREACHABLE = new Set([502, 503, 504]);

/** Whether no answer came, or only that there is none to be had at the moment: it may be different in a while. */
export function isUnreachable(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof ApiError && UNREACHABLE.has(error.status))
  );
}

const MOST_SENTENCES = 8;

/** An error as one tells it to a person. */
export function sentencesOf(error: unknown): string[] {
  if (error instanceof TimeoutError) return [t('the_service_took_too_long_to')];
  if (error instanceof ConnectionError) return [t('the_service_cannot_be_reached_check')];
  if (!(error instanceof ApiError)) return [error instanceof Error ? error.message : String(error)];
  const { detail, status } = error;
  // 507 says what to make room for; waiting changes nothing.
  if (status >= 500 && status !== 507) return [t('the_service_could_not_do_this')];
  if (typeof detail === 'string' && detail !== '') return [detail];
  if (!Array.isArray(detail) || detail.length === 0)
    return [t('the_service_answered_with_status', { status })];
  const sentences = (detail as ErrorDetail[]).map(toSentence);
  const more = sentences.length - MOST_SENTENCES;
  return more > 0 ? [...sentences.slice(0, MOST_SENTENCES), t('and_count_more', { count: more })] : sentences;
}

/** What whoever runs the service can look an error up by, word for word. */
export function detailsOf(error: unknown): string[] {
  if (error instanceof ApiError) {
    const { status, requestId, detail } = error;
    const words = Array.isArray(detail)
      ? (detail as ErrorDetail[]).slice(0, MOST_SENTENCES).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
      : typeof detail === 'string' && status >= 500
        ? [detail]
        : [];
    return [
      t('status_number', { status }),
      ...words,
      ...(requestId === undefined ? [] : [t('request_id', { id: requestId })]),
    ];
  }
  return isUnreachable(error) && error instanceof Error ? [error.message] : [];
}

function toSentence({ loc, msg, type }: ErrorDetail): string {
  const field = loc
    .slice(1)
    .filter((step) => typeof step === 'string')
    .at(-1);
  const words = WORDS[type] ?? msg.replace(/^Value error, /, '');
  return field === undefined ? capital(words) : `${capital(field.replaceAll('_', ' '))}: ${words}`;
}

/** What the service says to programs, said to people. */
const WORDS: Readonly<Record<string, string>> = {
  missing: t('this_is_needed'),
  string_too_short: t('this_must_not_be_empty'),
  string_type: t('this_should_be_a_text'),
  int_type: t('this_should_be_a_whole_number'),
  int_parsing: t('this_should_be_a_whole_number'),
  datetime_from_date_parsing: t('this_is_not_a_date'),
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
