import type { Logger } from 'pino';
import { DatabaseMisfit, DiskFull } from '../domain/errors.js';

/** What only the operator can mend. */
type Ailment = DatabaseMisfit | DiskFull;

export interface DatabaseWatch {
  /** Looks at an error that a request ended with. */
  readonly note: (error: unknown) => void;
  /** What ails the database, as far as requests have met it lately. */
  readonly ailment: () => Ailment | undefined;
}

/** What a request has met is believed for this long; the next one that meets it says it again. */
const BELIEVED_MS = 15_000;

/** Remembers what ails the database, and logs it once with its remedy, not once for every request that meets it. */
export function watchDatabase(log: Logger): DatabaseWatch {
  let met: { readonly ailment: Ailment; readonly until: number } | undefined;
  const ailment = () => (met !== undefined && performance.now() < met.until ? met.ailment : undefined);
  return {
    note: (error) => {
      if (!(error instanceof DiskFull || error instanceof DatabaseMisfit)) return;
      // Said again to whoever asks whether the service is ready, which is not to meet it again.
      if (error === met?.ailment) return;
      const words = wordsFor(error);
      const known = ailment();
      if (known === undefined || wordsFor(known) !== words) log.error(words);
      const lasts = error instanceof DatabaseMisfit && error.lasts;
      met = { ailment: error, until: lasts ? Infinity : performance.now() + BELIEVED_MS };
    },
    ailment,
  };
}

function wordsFor(ailment: Ailment): string {
  return ailment instanceof DatabaseMisfit
    ? `Requests are answered 503. ${ailment.remedy}`
    : 'The disk of the database is full: requests that write are answered 503. Free some space.';
}
