import { hash } from 'node:crypto';
import Type from 'typebox';
import type { Database } from '../db/database.js';
import type { ExpectedCaller } from '../db/expected-caller.js';
import { createLastChangeReader } from '../db/last-change.js';
import type { Answer, RawHeaders } from './answer.js';
import type { AnswerSpec } from './route.js';

export const IfNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({ description: 'Tags of what the client has: 304 if current', examples: ['"an-older-tag"'] }),
  ),
});

/** If-None-Match: weak comparison, so `W/` does not matter. */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag) return true;
  const wanted = withoutWeakness(tag);
  return header.split(',').some((given) => {
    const text = given.trim();
    return text === '*' || withoutWeakness(text) === wanted;
  });
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/** A copy may be kept, but must be held against the tag before each use. */
export function tagHeaders(tag: string): RawHeaders {
  return ['etag', tag, 'cache-control', 'private, no-cache'];
}

export function unchanged(caching: RawHeaders): Answer {
  return { status: 304, headers: caching };
}

/** The header of an answer with a tag, and the answer 304, for the OpenAPI document. */
export function describeTag(description: string) {
  const Tagged = Type.Object({ ETag: Type.String({ description }) });
  const notModified: AnswerSpec = {
    status: 304,
    description: 'What the client has is current',
    headers: Tagged,
  };
  return { Tagged, notModified };
}

/** What was asked for: the store, and the query as it was understood. */
type Asked = readonly [storeKey: number, ...query: unknown[]];

/** The tags of lists that change with nothing but their store. */
export interface ListTags {
  /** Of a list that was read when this was the last change of the store. */
  of(lastChange: string, asked: Asked): string;
  /** Of a list that is read from now on. */
  now(asked: Asked, expected?: ExpectedCaller): Promise<string>;
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
  const tagOf: ListTags['of'] = (lastChange, asked) => {
    const digest = hash('sha256', JSON.stringify([version, lastChange, ...asked]), 'base64url');
    return `W/"${digest.slice(0, TAG_CHARACTERS)}"`;
  };
  return {
    of: tagOf,
    now: async (asked, expected) => tagOf(await readLastChange({ storeKey: asked[0], expected }), asked),
  };
}
