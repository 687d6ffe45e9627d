import { shortInput, ValidationFailed } from '../domain/faults.js';
import { listed } from '../domain/shape/scalars.js';

/** The value of a query parameter that names one or several of the known, separated by commas. */
export function readNames<Name extends string>(
  parameter: string,
  text: string | undefined,
  known: readonly Name[],
): readonly Name[] | undefined {
  if (text === undefined) return undefined;
  const wanted: ReadonlySet<string> = new Set(text.split(','));
  const named = known.filter((name) => wanted.has(name));
  if (named.length === wanted.size) return named;
  const expected = listed(known);
  const msg = `Input should be ${expected}, separated by commas`;
  throw new ValidationFailed([
    { loc: ['query', parameter], msg, type: 'enum', input: shortInput(text), ctx: { expected } },
  ]);
}
