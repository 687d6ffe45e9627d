import { ApiError, type Fault } from '#sdk';
import { Icon } from './icon.js';

interface TroubleProps {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}

/** An error in the service's own words, with what an operator finds it by. */
export function Trouble({ error, retry }: TroubleProps) {
  const requestId = requestIdOf(error);
  return (
    <div class="trouble" role="alert">
      <Icon name="warning" />
      <div>
        {sentencesOf(error).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {requestId !== undefined && <p class="small">Request {requestId}</p>}
      </div>
      {retry !== undefined && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function requestIdOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.requestId : undefined;
}

const MOST_SENTENCES = 8;

export function sentencesOf(error: unknown): string[] {
  if (!(error instanceof ApiError)) return [error instanceof Error ? error.message : String(error)];
  const { detail, status } = error;
  if (typeof detail === 'string' && detail !== '') return [detail];
  if (!Array.isArray(detail) || detail.length === 0) return [`The service answered with ${status}.`];
  const sentences = (detail as Fault[]).map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
  const more = sentences.length - MOST_SENTENCES;
  return more > 0 ? [...sentences.slice(0, MOST_SENTENCES), `and ${more} more`] : sentences;
}
