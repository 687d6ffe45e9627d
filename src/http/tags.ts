import Type from 'typebox';
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
export function keptUnder(tag: string): RawHeaders {
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
