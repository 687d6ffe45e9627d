import { hash } from 'node:crypto';
import type { Database } from '../db/database.js';
import type { ExpectedCaller } from '../db/expected-caller.js';
import { createLastChangeReader } from '../db/last-change.js';
import { describeTag } from './route.js';

/** What a list was asked for: the store, and the query as it was understood. */
type ListQuestion = readonly [storeKey: number, ...query: unknown[]];

/** The tags of lists that change with nothing but their store. */
export interface ListTags {
  /** Of a list that was read when this was the last change of the store. */
  of(lastChange: string, question: ListQuestion): string;
  /** Of a list that is read from now on. */
  now(question: ListQuestion, expected?: ExpectedCaller): Promise<string>;
}

export const listTag = describeTag(
  'Weak; changes with every change of the store and its orders, and with the query',
);

const TAG_CHARACTERS = 22;

/**
 * Weak, because what a list shows may be newer than its tag says: large orders are read after the others. It is never
 * older. Another version of the service may show the same orders otherwise.
 */
export function createListTags(db: Database, version: string): ListTags {
  const readLastChange = createLastChangeReader(db);
  const tagOf: ListTags['of'] = (lastChange, question) => {
    const digest = hash('sha256', JSON.stringify([version, lastChange, ...question]), 'base64url');
    return `W/"${digest.slice(0, TAG_CHARACTERS)}"`;
  };
  return {
    of: tagOf,
    now: async (question, expected) =>
      tagOf(await readLastChange({ storeKey: question[0], expected }), question),
  };
}
