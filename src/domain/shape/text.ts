import { report, type Visit } from './check.js';

const NUL = '\u0000';

/** PostgreSQL keeps no NUL, and a lone surrogate has no UTF-8 form: neither can be stored and given back. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes(NUL);
}

export function checkText(text: string, visit: Visit): boolean {
  if (isStorableText(text)) return true;
  report(
    visit,
    'string_unicode',
    'Input should be a valid string, unable to parse raw data as a unicode string',
    text,
  );
  return false;
}

/** Lengths count characters, not UTF-16 units; the exact count is only made where the two could differ. */
export function isLongerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  return text.length > characters * 2 || countCharacters(text) > characters;
}

export function isShorterThan(text: string, characters: number): boolean {
  return text.length < characters * 2 && countCharacters(text) < characters;
}

export function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff) at += 1;
    count += 1;
  }
  return count;
}

/** Free-form JSON: any depth the parser let through, every string and key storable. */
export function checkFreeForm(value: unknown, visit: Visit): unknown {
  if (typeof value === 'string') checkText(value, visit);
  else if (Array.isArray(value))
    value.forEach((element, at) => inside(visit, at, () => checkFreeForm(element, visit)));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      inside(visit, key, () => checkText(key, visit) && checkFreeForm(member, visit));
    }
  } else if (typeof value === 'number') {
    checkFaithfulNumber(value, visit);
  }
  return value;
}

function inside(visit: Visit, step: string | number, look: () => unknown): void {
  visit.path.push(step);
  look();
  visit.path.pop();
}

const FIRST_WITH_EXPONENT = 1e21;

/** What comes back must be what was sent: an integer past 2^53 that is written in full would come back as another one. */
function checkFaithfulNumber(value: number, visit: Visit): void {
  if (!Number.isFinite(value)) report(visit, 'finite_number', 'Input should be a finite number', value);
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= FIRST_WITH_EXPONENT)
    return;
  const [type, words, bound] =
    value > 0
      ? ['less_than_equal', 'less', Number.MAX_SAFE_INTEGER]
      : ['greater_than_equal', 'greater', Number.MIN_SAFE_INTEGER];
  report(visit, type, `Input should be ${words} than or equal to ${bound}`, value, {
    [value > 0 ? 'le' : 'ge']: bound,
  });
}
