import { shortText } from '../../faults.js';
import { KINDS, LIST_OF, memberOf, type Kind } from '../kinds.js';
import { FULL_EFFORT, nearestTo, type Effort } from '../../near-miss.js';
import { FIELDS_OF } from '../shapes.js';
import type { WarningList } from './warning-list.js';

/** Fields of answers that may be posted back, and are ignored. */
const OF_ANSWERS = new Set(['id', 'prep_type']);
/** A body with more different unknown keys than this is not made by hand. */
const MOST_LOOKED_AT = 1_000;

type FindMeant = (key: string) => string | undefined;

/** Unknown keys are ignored; one that is close to a known field which is missing is probably a slip. */
export function warnOfUnknownKeys(body: unknown, warnings: WarningList): void {
  const effort = { left: FULL_EFFORT };
  const lists = KINDS.map((kind) => LIST_OF[kind]);
  warnOf(body, [], createMeant(lists, effort), lists, warnings);
  for (const kind of KINDS) warnOfEntities(body, kind, effort, warnings);
}

function warnOfEntities(body: unknown, kind: Kind, effort: Effort, warnings: WarningList): void {
  const entities = memberOf(body, LIST_OF[kind]);
  if (!Array.isArray(entities)) return;
  const findMeant = createMeant(FIELDS_OF[kind], effort);
  entities.forEach((entity: unknown, at) =>
    warnOf(entity, [LIST_OF[kind], at], findMeant, FIELDS_OF[kind], warnings),
  );
}

function warnOf(
  value: unknown,
  loc: readonly (string | number)[],
  findMeant: FindMeant,
  known: readonly string[],
  warnings: WarningList,
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const meant = findMeant(key);
    if (meant === undefined || Object.hasOwn(value, meant)) continue;
    warnings.add('unknown_key', [...loc, shortText(key)], () => ({
      msg: `There is no field '${shortText(key)}', so it is ignored; did you mean '${meant}'?`,
      ctx: { did_you_mean: meant },
    }));
  }
}

/** Each different key is looked at once. */
function createMeant(known: readonly string[], effort: Effort): FindMeant {
  const meant = new Map<string, string | undefined>();
  return (key) => {
    if (OF_ANSWERS.has(key)) return undefined;
    if (!meant.has(key) && meant.size < MOST_LOOKED_AT)
      meant.set(key, nearestTo(key, known, effort) ?? ofSameWords(key, known));
    return meant.get(key);
  };
}

/** Two fields are close, too, when one has all the words of the other, and those are two at least. */
function ofSameWords(key: string, known: readonly string[]): string | undefined {
  const words = wordsOf(key);
  return known.find((field) => {
    const others = wordsOf(field);
    const [fewer, more] = words.size < others.size ? [words, others] : [others, words];
    return fewer.size > 1 && [...fewer].every((word) => more.has(word));
  });
}

/** `modifierGroupIds` has the words of `modifier_group_ids`. */
function wordsOf(key: string): Set<string> {
  const words = key.slice(0, 100).replace(/([a-z])([A-Z])/g, '$1_$2');
  return new Set(words.toLowerCase().split(/[^a-z]+/));
}
