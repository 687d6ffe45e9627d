import { hash } from 'node:crypto';
import Type from 'typebox';
import type { Database } from '../db/database.js';
import type { ExpectedCaller } from '../db/expected-caller.js';
import { createListStates } from '../db/list-state.js';
import { CODINGS, type Coding } from '../domain/answer-body.js';
import { memoize } from '../domain/memoize.js';
import type { Answer, RawHeaders } from './answer.js';
import type { AnswerSpec } from './route.js';

/** What the headers of a request make of its answer: the coding it comes in, and nothing at all for whoever has it already. */

/** Clients send very few different headers; past this many, someone makes them up. */
const MOST_HEADERS = 100;

/** Picks the coding to answer in from an Accept-Encoding header. */
function createNegotiation(offered: readonly Coding[]): (acceptEncoding: string | undefined) => Coding {
  const pick = memoize(MOST_HEADERS, (header) => negotiate(header, offered));
  return (acceptEncoding) =>
    acceptEncoding === undefined || acceptEncoding === '' ? 'identity' : pick(acceptEncoding);
}

export const negotiateCoding = createNegotiation(CODINGS);
export const negotiateGzip = createNegotiation(['gzip']);

/** The highest weight the client gives, and among equals ours to prefer. */
function negotiate(acceptEncoding: string, offered: readonly Coding[]): Coding {
  const weights = readWeights(acceptEncoding);
  const any = weights.get('*');
  let best: Coding = 'identity';
  // Unless it is refused, identity is acceptable but never better than what the client names.
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of offered) {
    if (coding === 'identity') continue;
    const weight = weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined) ?? any ?? 0;
    if (weight > 0 && (weight > bestWeight || (weight === bestWeight && best === 'identity'))) {
      best = coding;
      bestWeight = weight;
    }
  }
  return best;
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (name !== '')
      weights.set(name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0);
  }
  return weights;
}

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
  /** Of a list that was read when the store was in this state. */
  of(state: string, asked: Asked): string;
  /** Of a list that is read from now on. */
  now(asked: Asked, expected?: ExpectedCaller): Promise<string>;
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
    now: async (asked, expected) => tagOf(await readState({ storeKey: asked[0], expected }), asked),
  };
}
