import type { Logger } from 'pino';
import type { Database } from '../db/database.js';
import { isMended } from '../db/database-upkeep.js';
import { DatabaseMisconfigured, DiskFull } from '../domain/errors.js';

/** What only the operator can mend. */
type Ailment = DatabaseMisconfigured | DiskFull;

export interface DatabaseWatch {
  /** Looks at an error that a request ended with. */
  readonly note: (error: unknown) => void;
  /** What ails the database, as far as requests have met it lately. */
  readonly ailment: () => Promise<Ailment | undefined>;
}

/** What a request has met is believed for this long; the next one that meets it says it again. */
const BELIEVED_MS = 15_000;

/**
 * Remembers what ails the database, and logs it once with its remedy, not once for every request that meets it. What can be
 * asked without a request is asked before it is forgotten: a balancer sends no requests to who is not ready.
 */
export function watchDatabase(db: Database, log: Logger): DatabaseWatch {
  let met: { readonly ailment: Ailment; readonly until: number } | undefined;
  return {
    note: (error) => {
      if (!(error instanceof DiskFull || error instanceof DatabaseMisconfigured)) return;
      // The readiness check throws what is remembered here: no request has met it anew.
      if (error === met?.ailment) return;
      const words = wordsFor(error);
      if (met === undefined || performance.now() > met.until || wordsFor(met.ailment) !== words)
        log.error(words);
      met = { ailment: error, until: performance.now() + BELIEVED_MS };
    },
    ailment: async () => {
      const asked = met;
      if (asked === undefined || performance.now() < asked.until) return asked?.ailment;
      if (asked.ailment instanceof DatabaseMisconfigured && !(await isMended(db, asked.ailment)))
        return asked.ailment;
      if (met === asked) met = undefined;
      return met?.ailment;
    },
  };
}

function wordsFor(ailment: Ailment): string {
  return ailment instanceof DatabaseMisconfigured
    ? `Requests are answered 503. ${ailment.remedy}`
    : 'The disk of the database is full: requests that write are answered 503. Free some space.';
}
