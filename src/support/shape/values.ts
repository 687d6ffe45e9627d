import { parseDatetime } from '../datetime.js';
import { inside, reportError, reportValueError, type Check, type Visit } from '../error-details.js';

export interface StringRules {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly enum?: readonly string[];
}

export interface NumberRules {
  readonly enum?: readonly number[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export const LONGEST_STRING = 10_000;

export function stringCheck(rules: StringRules): Check {
  if (rules.enum !== undefined) return enumCheck(rules.enum, listed(rules.enum));
  if (rules.format === 'date-time') return checkDatetime;
  const { minLength = 0, maxLength = LONGEST_STRING } = rules;
  return (value, visit) => {
    if (typeof value !== 'string')
      return reportError(visit, 'string_type', 'Input should be a valid string', value);
    if (isShorterThan(value, minLength)) {
      const unit = minLength === 1 ? 'character' : 'characters';
      reportError(visit, 'string_too_short', `String should have at least ${minLength} ${unit}`, value, {
        min_length: minLength,
      });
    } else if (isLongerThan(value, maxLength)) {
      const unit = maxLength === 1 ? 'character' : 'characters';
      reportError(visit, 'string_too_long', `String should have at most ${maxLength} ${unit}`, value, {
        max_length: maxLength,
      });
    } else {
      checkText(value, visit);
    }
    return value;
  };
}

const NUL = '\u0000';

/** PostgreSQL cannot store NUL, and a lone surrogate has no UTF-8 form. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes(NUL);
}

function checkText(text: string, visit: Visit): boolean {
  if (isStorableText(text)) return true;
  reportError(
    visit,
    'string_unicode',
    'Input should be a valid string, unable to parse raw data as a unicode string',
    text,
  );
  return false;
}

/** Lengths count characters, not UTF-16 units; they are counted exactly only if the two could differ. */
function isLongerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  return text.length > characters * 2 || countCharacters(text) > characters;
}

function isShorterThan(text: string, characters: number): boolean {
  return text.length < characters * 2 && countCharacters(text) < characters;
}

export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) i += 1;
    count += 1;
  }
  return count;
}

function enumCheck(allowed: readonly unknown[], expected: string): Check {
  return (value, visit) => {
    if (allowed.includes(value)) return value;
    return reportError(visit, 'enum', `Input should be ${expected}`, value, { expected });
  };
}

export function listed(values: readonly string[]): string {
  return inWords(values.map((value) => `'${value}'`));
}

function inWords(values: readonly (string | number)[]): string {
  const first = values.slice(0, -1).join(', ');
  return values.length < 2 ? String(values[0] ?? '') : `${first} or ${String(values.at(-1))}`;
}

/** Normalises a date-time to the form used in responses. */
function checkDatetime(value: unknown, visit: Visit): unknown {
  if (typeof value !== 'string')
    return reportError(visit, 'datetime_type', 'Input should be a valid datetime', value);
  const parsed = parseDatetime(value);
  if (parsed.ok) return new Date(parsed.instant.ms).toISOString();
  const msg = `Input should be a valid datetime or date, ${parsed.reason}`;
  return reportError(visit, 'datetime_from_date_parsing', msg, value, { error: parsed.reason });
}

export function integerCheck(rules: NumberRules): Check {
  const range =
    rules.enum === undefined ? integerRangeCheck(rules) : enumCheck(rules.enum, inWords(rules.enum));
  return (value, visit) => {
    if (typeof value !== 'number')
      return reportError(visit, 'int_type', 'Input should be a valid integer', value);
    // An integer that no double holds was read as an infinite one, which is out of every range.
    if (Number.isFinite(value) && !Number.isInteger(value)) {
      const msg = 'Input should be a valid integer, got a number with a fractional part';
      return reportError(visit, 'int_from_float', msg, value);
    }
    return range(value, visit);
  };
}

/** A number in a query string or a path. */
export function integerTextCheck(rules: NumberRules): Check {
  const range = integerRangeCheck(rules);
  return (value, visit) => {
    if (typeof value === 'string' && DECIMAL.test(value)) return range(Number(value), visit, value);
    const msg = 'Input should be a valid integer, unable to parse string as an integer';
    return reportError(visit, 'int_parsing', msg, value);
  };
}

const DECIMAL = /^-?\d+$/;

export function numberCheck(rules: NumberRules): Check {
  const range = rangeCheck(rules);
  return (value, visit) => {
    if (typeof value !== 'number')
      return reportError(visit, 'float_type', 'Input should be a valid number', value);
    if (!Number.isFinite(value))
      return reportError(visit, 'finite_number', 'Input should be a finite number', value);
    return range(value, visit);
  };
}

function integerRangeCheck({ minimum, maximum }: NumberRules): RangeCheck {
  return rangeCheck({
    minimum: minimum ?? Number.MIN_SAFE_INTEGER,
    maximum: maximum ?? Number.MAX_SAFE_INTEGER,
  });
}

/** `given` is the input to report, if it is not the number itself. */
type RangeCheck = (value: number, visit: Visit, given?: string) => unknown;

function rangeCheck({ minimum, maximum }: NumberRules): RangeCheck {
  return (value, visit, given) => {
    if (minimum !== undefined && value < minimum) {
      const msg = `Input should be greater than or equal to ${minimum}`;
      return reportError(visit, 'greater_than_equal', msg, given ?? value, { ge: minimum });
    }
    if (maximum !== undefined && value > maximum) {
      const msg = `Input should be less than or equal to ${maximum}`;
      return reportError(visit, 'less_than_equal', msg, given ?? value, { le: maximum });
    }
    // JSON allows negative zero, but it is never intended.
    return value === 0 ? 0 : value;
  };
}

export function checkBoolean(value: unknown, visit: Visit): unknown {
  return typeof value === 'boolean'
    ? value
    : reportError(visit, 'bool_type', 'Input should be a valid boolean', value);
}

/** A boolean in a query string, in any spelling that pydantic accepts. */
export function checkBooleanText(value: unknown, visit: Visit): unknown {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  const msg = 'Input should be a valid boolean, unable to interpret input';
  return reportError(visit, 'bool_parsing', msg, value);
}

const TRUE_WORDS = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const FALSE_WORDS = new Set(['false', 'f', 'no', 'n', 'off', '0']);

/** Free-form JSON: any depth the parser let through, every string and key storable. */
export function checkFreeForm(value: unknown, visit: Visit): unknown {
  if (typeof value === 'string') checkText(value, visit);
  else if (Array.isArray(value))
    value.forEach((element, index) => inside(visit, index, () => checkFreeForm(element, visit)));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      inside(visit, key, () => checkText(key, visit) && checkFreeForm(member, visit));
    }
  } else if (typeof value === 'number' && !Number.isFinite(value)) {
    reportValueError(visit, 'no double holds this number: send it as a string');
  }
  return value;
}
