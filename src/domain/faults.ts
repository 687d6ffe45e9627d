export type Loc = readonly (string | number)[];

/** One entry of a 422 answer. `input` must already be shortened by whoever adds it. */
export interface Fault {
  readonly loc: Loc;
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

const REPORTED = 100;
const COUNTED = 10_000;

/** Collects faults up to the number that is reported and only counts the rest, so a hostile body costs no memory. */
export class FaultList {
  readonly #reported: Fault[] = [];
  #total = 0;
  #counted: 'exactly' | 'at least' = 'exactly';

  get total(): number {
    return this.#total;
  }

  get #isFull(): boolean {
    return this.#total >= REPORTED;
  }

  /** So many that counting on is not worth the time: looking further may stop. */
  get isHopeless(): boolean {
    return this.#total >= COUNTED;
  }

  add(fault: Fault): void {
    this.#total += 1;
    if (this.#reported.length < REPORTED) this.#reported.push(fault);
  }

  /** Adds a fault that is only described where it is shown. */
  addDescribed(describe: () => Fault): void {
    if (this.#isFull) this.#total += 1;
    else this.add(describe());
  }

  /** Adds faults that were counted without being looked at one by one. */
  addUnreported(count: number, counted: 'exactly' | 'at least'): void {
    this.#total += count;
    if (counted === 'at least') this.#counted = counted;
  }

  /** The first hundred, then one entry that says how many more there are. */
  toArray(): Fault[] {
    const more = this.#total - this.#reported.length;
    if (more === 0 && this.#counted === 'exactly') return [...this.#reported];
    const atLeast = this.#counted === 'at least' ? 'at least ' : '';
    const msg = `${atLeast}${more} more ${more === 1 ? 'error' : 'errors'} not shown`;
    return [...this.#reported, { loc: ['body'], msg, type: 'too_many_errors' }];
  }

  throwIfAny(): void {
    if (this.#total > 0) throw new ValidationFailed(this.toArray());
  }
}

/** The request does not have the declared shape, or contradicts itself or what is stored. */
export class ValidationFailed extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super('The request did not pass validation');
  }
}

/** A fault by a rule of our own that no type of pydantic's names, in its form for such rules. */
export function valueFault(loc: Loc, reason: string, input?: unknown): Fault {
  return {
    loc,
    msg: `Value error, ${reason}`,
    type: 'value_error',
    ...(input === undefined ? {} : { input: shortInput(input) }),
    ctx: { error: reason },
  };
}

/** That fault alone. */
export function valueError(loc: Loc, reason: string, input?: unknown): ValidationFailed {
  return new ValidationFailed([valueFault(loc, reason, input)]);
}

const SHOWN_CHARACTERS = 200;

/** What may be echoed of a refused value: long strings are cut, and of long lists and maps nothing is shown. */
export function shortInput(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'object' && value !== null) return isShort(value) ? value : undefined;
  return value;
}

/** A text of the caller's, short enough to be given back. */
export function shortText(text: string): string {
  return cutText(text, SHOWN_CHARACTERS);
}

/** As long as an external_id may be: two that differ are never shown alike. */
const SHOWN_OF_EXTERNAL_ID = 255;

export function shownExternalId(externalId: string): string {
  return cutText(externalId, SHOWN_OF_EXTERNAL_ID);
}

/** Leaves out the middle, since texts that look alike often differ at their end. Counts code points, and leaves no half of one. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text.toWellFormed();
  if (text.length <= characters * 2 && Array.from(text).length <= characters) return text.toWellFormed();
  const begun = Math.ceil((characters - 1) / 2);
  const ended = characters - 1 - begun;
  const begin = Array.from(text.slice(0, begun * 2)).slice(0, begun);
  const end = Array.from(text.slice(-ended * 2)).slice(-ended);
  return `${begin.join('')}…${end.join('')}`.toWellFormed();
}

/** A value may be very large: its JSON is only written once a count has shown that it is not. */
function isShort(value: object): boolean {
  return (
    leastLength(value, SHOWN_CHARACTERS) <= SHOWN_CHARACTERS &&
    JSON.stringify(value).length <= SHOWN_CHARACTERS
  );
}

/** How long the JSON of a value is at least; past `enough` nobody needs to know. */
function leastLength(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let length = members.length;
  for (let at = 0; at < members.length && length <= enough; at += 1) {
    length += (keys[at]?.length ?? 0) + leastLength(members[at], enough - length);
  }
  return length;
}
