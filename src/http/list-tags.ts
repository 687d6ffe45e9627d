import { hash } from 'node:crypto';
import type { Database } from '../db/database.js';
import { createListStates } from '../db/list-state.js';
import { describeTag } from './tags.js';

/** What was asked for: the store, and the query as it was understood. */
type Asked = readonly [storeKey: number, ...query: unknown[]];

/** The tags of lists that change with nothing but their store. */
export interface ListTags {
  /** Of a list that was read when the store was in this state. */
  of(state: string, asked: Asked): string;
  /** Of a list that is read from now on. */
  now(asked: Asked): Promise<string>;
}

export const listTag = describeTag(
  'Weak; changes with every change of the store and its orders, and with the query',
);

const TAG_CHARACTERS = 22;

/**
 * Weak, because what a list shows may be newer than its tag says: large orders are read after the others. It is never
 * older. Another version of the service may show the same state otherwise.
 */
export function createListTags(db: Database, version: string): ListTags {
  const readState = createListStates(db);
  const tagOf: ListTags['of'] = (state, asked) => {
    const digest = hash('sha256', JSON.stringify([version, state, ...asked]), 'base64url');
    return `W/"${digest.slice(0, TAG_CHARACTERS)}"`;
  };
  return {
    of: tagOf,
    now: async (asked) => tagOf(await readState(asked[0]), asked),
  };
}
