import type { Fault } from '#sdk';
import { paint, type Terminal } from './terminal.js';
import { toPlain } from './text-width.js';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** One line for each fault, led by its place in the file where there is one. */
export function describeFaults(
  terminal: Terminal,
  faults: readonly Fault[],
  file?: { readonly name: string; readonly locate: (fault: Fault) => Place | undefined },
): string[] {
  return faults.map((fault) => {
    const place = file?.locate(fault);
    const lead = place === undefined ? '' : `${file?.name ?? ''}:${place.line}:${place.column}: `;
    return `${paint(terminal, 'cyan', lead)}${pathOf(fault)}${toPlain(messageOf(fault))}`;
  });
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
