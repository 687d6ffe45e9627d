import type { Queryable } from '../postgres/database.js';

/** Work that one process of the installation does at a time. */
export interface Turn {
  readonly work: 'cleanup' | 'clock' | 'sales';
  /** A UUID of the process. */
  readonly holder: string;
  readonly everyMs: number;
}

/**
 * Takes the turn to do the work if it is due. It then belongs to the holder until it is due again; a process that is killed
 * only delays the work by that time. A row rather than a session's lock, because a pooler may give every statement another
 * session.
 */
export async function takeTurn(db: Queryable, { work, holder, everyMs }: Turn): Promise<boolean> {
  const taken = await db.query({
    name: 'upkeep-turn-take',
    text: `UPDATE upkeep_turns t SET holder = $2, next_at = clock_timestamp() + make_interval(secs => $3)
           WHERE t.work = $1 AND t.next_at <= clock_timestamp() RETURNING 1`,
    values: [work, holder, everyMs / 1000],
  });
  return taken.length > 0;
}

/** Extends the turn; false if it has passed to someone else. */
export async function extendTurn(db: Queryable, { work, holder, everyMs }: Turn): Promise<boolean> {
  const extended = await db.query({
    name: 'upkeep-turn-extend',
    text: `UPDATE upkeep_turns t SET next_at = clock_timestamp() + make_interval(secs => $3)
           WHERE t.work = $1 AND t.holder = $2 RETURNING 1`,
    values: [work, holder, everyMs / 1000],
    repeatable: true,
  });
  return extended.length > 0;
}
