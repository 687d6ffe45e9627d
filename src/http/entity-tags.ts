import { hash } from 'node:crypto';
import Type from 'typebox';
import type { Database } from '../db/database.js';
import type { ExpectedCaller } from '../db/expected-caller.js';
import { createLastChangeReader } from '../db/last-change.js';
import type { MenuState } from '../db/menu-versions.js';
import type { Coding } from '../domain/answer-body.js';
import type { MenuForm } from '../domain/menu/publication.js';
import type { Answer, RawHeaders } from './answer.js';
import type { AnswerSpec } from './route.js';

export const IfNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({ description: 'Tags of what the client has: 304 if current', examples: ['"an-older-tag"'] }),
  ),
});

export const IfMatch = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description: 'Tags of the tree or flat form: 412 if someone has published since',
      examples: ['*'],
    }),
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

/** The end of the store's id in its tags keeps another store's tag from ever matching. */
const STORE_DIGITS = 12;

/** A strong tag: equal tags mean equal bytes, so it names everything that the bytes depend on. */
export function menuTag(storeId: string, state: MenuState, form: MenuForm, coding: Coding): string {
  return `"${state.version}.${state.stockRevision}.${form}.${coding}.${storeId.slice(-STORE_DIGITS)}"`;
}

const MENU_TAG = /^"(\d+)\.\d+\.(?:tree|flat)\.(?:br|gzip|identity)\.([\da-f]+)"$/;

/**
 * If-Match: tells whether a version is one that the client has seen, by any strong tag of the store's tree or flat form;
 * undefined where any version will do.
 */
export function expectedVersion(
  header: string | undefined,
  storeId: string,
): ((version: number) => boolean) | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const given = header.split(',').map((text) => text.trim());
  if (given.includes('*')) return undefined;
  const versions = given.flatMap((text) => {
    const match = MENU_TAG.exec(text);
    return match?.[2] === storeId.slice(-STORE_DIGITS) ? [Number(match[1])] : [];
  });
  return (version) => versions.includes(version);
}

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
