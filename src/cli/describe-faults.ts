import type { Fault } from '#sdk';
import type { Place } from '../domain/text-file.js';
import { toPlain } from './plain-text.js';
import { paint, type Terminal } from './terminal.js';

/** A fault that may have a place in a file. */
export type LocatedFault = Fault & Partial<Place>;

/** One line for each fault, led by its place in the file where there is one. */
export function describeFaults(terminal: Terminal, faults: readonly LocatedFault[], file = ''): string[] {
  return faults.map((fault) => {
    const lead = fault.line === undefined ? '' : `${file}:${fault.line}:${fault.column ?? 1}: `;
    return `${paint(terminal, 'cyan', lead)}${pathOf(fault)}${toPlain(messageOf(fault))}`;
  });
}

/** As one meets them on the way down the file; those without a place come first. */
export function inFileOrder(one: LocatedFault, other: LocatedFault): number {
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}

/** `items[3].price`; where the fault lies in the whole body there is nothing to name. */
function pathOf({ loc }: Fault): string {
  const [, ...rest] = loc;
  if (rest.length === 0 || loc.length < 2) return '';
  const path = rest.map((step, at) =>
    typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`,
  );
  return `${toPlain(path.join(''))}: `;
}

function messageOf(fault: Fault): string {
  const { ctx } = fault as Fault & { ctx?: { error?: unknown } };
  return fault.type === 'json_invalid' && typeof ctx?.error === 'string'
    ? `${fault.msg}: ${ctx.error}`
    : fault.msg;
}
