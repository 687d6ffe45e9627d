import { requireReach, type Principal } from '../access/principal.js';
import type { Queryable, Transaction } from '../postgres/database.js';
import { requireFound } from '../support/errors.js';
import { isResourceId } from '../support/uuid.js';
import { findKeyAndReplaced, getKey, listIssued, revokeKeys } from './keys.sql.js';
import { auditKey, lockManageable } from './keys.js';
import type { Key, MadeWithKey } from './shapes.js';

/** What keys make and what lives on without them, of another room: how many there are, and their end. */
interface Made {
  count(db: Queryable, keyIds: readonly string[]): Promise<number>;
  end(tx: Transaction, keyIds: readonly string[]): Promise<void>;
}

/** What keys make, by its name on the wire. Keys are this room's own. */
export type MadeBesideKeys = Readonly<Record<Exclude<keyof MadeWithKey, 'keys'>, Made>>;

/** What was made with these keys and goes on without them. */
async function countMade(
  db: Queryable,
  ids: readonly string[],
  { webhooks, publications }: MadeBesideKeys,
): Promise<MadeWithKey> {
  return {
    keys: (await listIssued(db, ids)).length,
    webhooks: await webhooks.count(db, ids),
    publications: await publications.count(db, ids),
  };
}

export async function describeKey(
  db: Queryable,
  id: string,
  made: MadeBesideKeys,
): Promise<Key & { made: MadeWithKey }> {
  const key = requireFound(isResourceId(id) ? await getKey(db, id) : undefined, 'Key');
  return { ...key, made: await countMade(db, await findKeyAndReplaced(db, id), made) };
}

/** Ends the key, and with it what `also` names: its keys first, then what was made with any of them. */
export async function revokeKey(
  tx: Transaction,
  principal: Principal,
  id: string,
  also: ReadonlySet<keyof MadeWithKey>,
  made: MadeBesideKeys,
): Promise<MadeWithKey> {
  const key = await lockManageable(tx, principal, id);
  const own = await findKeyAndReplaced(tx, id);
  await revokeKeys(tx, [id]);
  const listed = async () => (also.has('keys') ? listIssued(tx, own) : []);
  const issued: Key[] = [];
  // Again until there are none: a key that is revoked here may just have issued another.
  for (let found = await listed(); found.length > 0; found = await listed()) {
    for (const key of found)
      requireReach(principal, { permissions: key.permissions, storeIds: key.store_ids });
    await revokeKeys(
      tx,
      found.map((key) => key.id),
    );
    issued.push(...found);
  }
  // Also what was made with keys that had ended before: nobody else can name it any more.
  const ended = also.has('keys')
    ? [...own, ...(await listIssued(tx, own, true)).map((each) => each.id)]
    : own;
  if (also.has('webhooks')) await made.webhooks.end(tx, ended);
  if (also.has('publications')) await made.publications.end(tx, ended);
  const after = also.size === 0 ? undefined : { also: [...also], keys: issued.length + 1 };
  if (key.revoked_at === undefined || issued.length > 0)
    await auditKey(tx, 'key.revoked', key, { before: { label: key.label }, after });
  for (const each of issued) await auditKey(tx, 'key.revoked', each, { before: { label: each.label } });
  return countMade(tx, ended, made);
}
