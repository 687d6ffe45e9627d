import type { ErrorType } from './error-types.js';

export type Loc = readonly (string | number)[];

/** One entry of a 422 response. `input` must already be shortened. */
export interface ErrorDetail {
  readonly loc: Loc;
  readonly msg: string;
  readonly type: ErrorType;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

const REPORTED = 100;
const COUNTED = 10_000;

/** Collects validation errors up to the reported number and only counts the rest, so that a hostile body costs no memory. */
export class ErrorList {
  readonly #reported: ErrorDetail[] = [];
  #total = 0;
  #areAllCounted = true;

  get total(): number {
    return this.#total;
  }

  /** True when there are so many errors that checking may stop. */
  get isHopeless(): boolean {
    return this.#total >= COUNTED;
  }

  add(error: ErrorDetail): void {
    this.#total += 1;
    if (this.#reported.length < REPORTED) this.#reported.push(error);
  }

  /** Adds an error; it is described only if it will be reported. */
  addDescribed(describe: () => ErrorDetail): void {
    if (this.#total >= REPORTED) this.#total += 1;
    else this.add(describe());
  }

  /** Checking stops before the end, so there may be more errors. */
  stopCounting(): void {
    this.#areAllCounted = false;
  }

  /** The first hundred errors, then one entry with the number of the others. */
  toArray(): ErrorDetail[] {
    const more = this.#total - this.#reported.length;
    if (more === 0 && this.#areAllCounted) return [...this.#reported];
    const atLeast = this.#areAllCounted ? '' : 'at least ';
    const msg = `${atLeast}${more} more ${more === 1 ? 'error' : 'errors'} not shown`;
    return [...this.#reported, { loc: ['body'], msg, type: 'too_many_errors' }];
  }

  throwIfAny(): void {
    if (this.#total > 0) throw new ValidationFailed(this.toArray());
  }
}

/** The request does not have the declared shape, or contradicts itself or stored data. */
export class ValidationFailed extends Error {
  constructor(readonly errors: readonly ErrorDetail[]) {
    super('The request did not pass validation');
  }
}

/** An error of a custom rule, in pydantic's `value_error` form. */
export function valueErrorDetail(loc: Loc, reason: string, input?: unknown): ErrorDetail {
  return {
    loc,
    msg: `Value error, ${reason}`,
    type: 'value_error',
    ...(input === undefined ? {} : { input: shortInput(input) }),
    ctx: { error: reason },
  };
}

/** An error of an id that leads to nothing the caller may see. */
export function unresolvedReference(loc: Loc, msg: string, id: string): ErrorDetail {
  return { loc, msg, type: 'unresolved_reference', input: shortInput(id) };
}

/** A ValidationFailed with one `value_error`. */
export function valueError(loc: Loc, reason: string, input?: unknown): ValidationFailed {
  return new ValidationFailed([valueErrorDetail(loc, reason, input)]);
}

const SHOWN_CHARACTERS = 200;

/** The part of a rejected value that may be echoed: long strings are cut, long lists and maps omitted. */
export function shortInput(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'object' && value !== null) return isShort(value) ? value : undefined;
  return value;
}

/** A text from the caller, cut short enough to echo. */
export function shortText(text: string): string {
  return cutText(text, SHOWN_CHARACTERS);
}

/** Shows whole external_ids: as long as one may be, so that two different ones never look alike. */
const SHOWN_OF_EXTERNAL_ID = 255;

export function shownExternalId(externalId: string): string {
  return cutText(externalId, SHOWN_OF_EXTERNAL_ID);
}

/** Cuts out the middle, since similar texts often differ at the end. Counts code points, so that none is split. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text.toWellFormed();
  if (text.length <= characters * 2 && Array.from(text).length <= characters) return text.toWellFormed();
  const begun = Math.ceil((characters - 1) / 2);
  const ended = characters - 1 - begun;
  const begin = Array.from(text.slice(0, begun * 2)).slice(0, begun);
  const end = Array.from(text.slice(-ended * 2)).slice(-ended);
  return `${begin.join('')}…${end.join('')}`.toWellFormed();
}

/** A value may be very large, so its JSON is written only after a size estimate. */
function isShort(value: object): boolean {
  return (
    leastLength(value, SHOWN_CHARACTERS) <= SHOWN_CHARACTERS &&
    JSON.stringify(value).length <= SHOWN_CHARACTERS
  );
}

/** A lower bound of the length of a value's JSON; counting stops past `enough`. */
function leastLength(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let length = members.length;
  for (let i = 0; i < members.length && length <= enough; i += 1) {
    length += (keys[i]?.length ?? 0) + leastLength(members[i], enough - length);
  }
  return length;
}

/** The current place of a check. The path is mutated in place and copied only into a reported error. */
export interface Visit {
  readonly path: (string | number)[];
  readonly errors: ErrorList;
}

/** Reports errors and returns the cleaned value, which is meaningless after an error. */
export type Check = (value: unknown, visit: Visit) => unknown;

export function reportError(
  visit: Visit,
  type: ErrorType,
  msg: string | (() => string),
  value?: unknown,
  ctx?: Readonly<Record<string, unknown>>,
): undefined {
  visit.errors.addDescribed(() => ({
    loc: visit.path.map((step) => (typeof step === 'string' ? shortText(step) : step)),
    msg: typeof msg === 'string' ? msg : msg(),
    type,
    ...(value === undefined ? {} : { input: shortInput(value) }),
    ...(ctx === undefined ? {} : { ctx }),
  }));
  return undefined;
}

export function reportValueError(visit: Visit, reason: string, value?: unknown): undefined {
  return reportError(visit, 'value_error', `Value error, ${reason}`, value, { error: reason });
}

/** Looks at one part of the value: what it reports is reported there. */
export function inside(visit: Visit, step: string | number, look: () => unknown): void {
  visit.path.push(step);
  look();
  visit.path.pop();
}
