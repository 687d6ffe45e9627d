import { CODINGS, type Coding } from '../domain/answer-body.js';
import { memoize } from '../domain/memoize.js';

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
