import { shortInput, shortText, type FaultList } from '../faults.js';

/** Where in the value a check stands; the path is shared and changed in place, and copied only into a fault. */
export interface Visit {
  readonly path: (string | number)[];
  readonly faults: FaultList;
}

/** Reports what is wrong with the value and returns it cleaned; after a fault the returned value means nothing. */
export type Check = (value: unknown, visit: Visit) => unknown;

export function reportFault(
  visit: Visit,
  type: string,
  msg: string,
  value?: unknown,
  ctx?: Readonly<Record<string, unknown>>,
): undefined {
  visit.faults.addDescribed(() => ({
    loc: visit.path.map((step) => (typeof step === 'string' ? shortText(step) : step)),
    msg,
    type,
    ...(value === undefined ? {} : { input: shortInput(value) }),
    ...(ctx === undefined ? {} : { ctx }),
  }));
  return undefined;
}

/** A rule of our own that no schema keyword expresses, in pydantic's form for such rules. */
export function reportValueError(visit: Visit, reason: string, value?: unknown): undefined {
  return reportFault(visit, 'value_error', `Value error, ${reason}`, value, { error: reason });
}
