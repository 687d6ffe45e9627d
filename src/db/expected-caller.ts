import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../domain/key/principal.js';
import { memoize } from '../domain/memoize.js';
import { KEY_TEXT, toPrincipal, LAST_USE_IS_OLD, type RequestedStore } from './callers.js';
import type { Queryable, Statement } from './database.js';
import { IS_LIVE } from './keys.js';

/** Who probably asks: whoever the last request on the same connection was found to come from. */
export interface ExpectedCaller {
  readonly principal: Principal;
  readonly store: RequestedStore | undefined;
  /** Whether the statement that has read the answer found key and store to be so. */
  isConfirmed: boolean;
}

/**
 * Each statement also looks up the keys and stores of the callers that it reads for, so that the read needs no other query. A
 * key whose last use is old is not confirmed: the check of keys, which then follows, notes the use.
 */
export function confirmingCallers(db: Queryable, callers: readonly ExpectedCaller[]): Queryable {
  if (callers.length === 0) return db;
  const keys = new Set(callers.map(({ principal }) => principal.id));
  const stores = new Set(callers.flatMap(({ store }) => store?.storeKey ?? []));
  return {
    async query<Row>(statement: Statement): Promise<Row[]> {
      const { name, text, values = [] } = statement;
      const rows = await db.query<Row & Confirmation>({
        ...statement,
        name: `${name}-confirming`,
        text: withConfirmation(text),
        values: [...values, `{${[...keys].join()}}`, `{${[...stores].join()}}`],
      });
      confirm(callers, rows[0]);
      return rows.filter(({ is_found }) => is_found === true);
    },
  };
}

interface Confirmation {
  readonly live_keys: string | null;
  readonly live_stores: string | null;
  /** Whether this is a row of what is read; null where there is none. */
  readonly is_found: boolean | null;
}

/** What a key may do, and whose it is, is in its text; a store never changes hands. */
function confirm(callers: readonly ExpectedCaller[], seen: Confirmation | undefined): void {
  const found = (seen?.live_keys?.split('\n') ?? []).map(toPrincipal);
  const principals = new Map(found.map((principal) => [principal.id, principal]));
  const storeIds = new Set(seen?.live_stores?.split('\n'));
  for (const caller of callers) {
    const { principal, store } = caller;
    const isSame = isDeepStrictEqual(principals.get(principal.id), principal);
    caller.isConfirmed = isSame && storeIds.has(store?.id ?? '');
  }
}

const MOST_TEXTS = 200;

/** Keys and stores are the last two parameters. */
const withConfirmation = memoize(MOST_TEXTS, (text) => {
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  return `
    SELECT (
      SELECT string_agg(${KEY_TEXT}, E'\\n') FROM api_keys
      WHERE api_keys.id = ANY ($${parameters + 1}::uuid[]) AND ${IS_LIVE} AND NOT ${LAST_USE_IS_OLD}) AS live_keys, (
      SELECT string_agg(stores.id::text, E'\\n') FROM stores
      WHERE stores.store_key = ANY ($${parameters + 2}::integer[])) AS live_stores, found.*
    FROM (SELECT) AS one LEFT JOIN (SELECT true AS is_found, reading.* FROM (${text}) AS reading) AS found ON true`;
});
