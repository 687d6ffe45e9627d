import Type from 'typebox';
import { CODINGS, type Coding } from '../domain/answer-body.js';
import type { Answer, RawHeaders } from './answer.js';
import type { AnswerSpec } from './route.js';

// In which form a client wants what it asks for, and which form it has already.

/**
 * Picks the coding to answer in from an Accept-Encoding header: the highest weight the client gives, and among equals ours
 * to prefer.
 */
export function negotiateCoding(
  acceptEncoding: string | undefined,
  offered: readonly Coding[] = CODINGS,
): Coding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity';
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

export function negotiateGzip(acceptEncoding: string | undefined): Coding {
  return negotiateCoding(acceptEncoding, ['gzip']);
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';');
    weights.set(name.trim(), parameters.length === 0 ? 1 : weightIn(parameters));
  }
  return weights;
}

function weightIn(parameters: readonly string[]): number {
  const weight = parameters.map((text) => text.trim()).find((text) => text.startsWith('q='));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
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

/** A copy may be kept; unless told otherwise by its owner alone, and held against the tag before each use. */
export function tagHeaders(tag: string, cacheControl = 'private, no-cache'): RawHeaders {
  return ['etag', tag, 'cache-control', cacheControl];
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
