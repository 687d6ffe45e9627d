import { CODINGS, type Coding } from '../domain/answer-body.js';

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
