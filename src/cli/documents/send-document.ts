import { ValidationError, type Answer, type Client, type Fault } from '#sdk';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { describeFaults, inFileOrder, type LocatedFault } from '../describe-faults.js';
import type { Terminal } from '../terminal.js';
import type { Document } from './read-document.js';

/** Posts a document; a refusal points into the file. */
export async function sendDocument(
  terminal: Terminal,
  client: Client,
  path: string,
  document: Document,
  headers: Record<string, string> = {},
): Promise<Answer<unknown>> {
  try {
    return await client.request({ method: 'POST', path, body: document.bytes, headers });
  } catch (error) {
    throw error instanceof ValidationError ? pointInto(terminal, document, error) : error;
  }
}

/** Faults or warnings on the way down the file, and a line for each, led by its place. */
export function locateFaults(
  terminal: Terminal,
  document: Document,
  faults: readonly Fault[],
): { located: LocatedFault[]; lines: string[] } {
  const located = faults.map((fault) => ({ ...fault, ...document.locate(fault) })).sort(inFileOrder);
  return { located, lines: describeFaults(terminal, located, document.name) };
}

function pointInto(terminal: Terminal, document: Document, { faults }: ValidationError): CommandFailed {
  const { located, lines } = locateFaults(terminal, document, faults);
  const count = `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`;
  return new CommandFailed(EXIT.refused, `${document.name} has ${count}.`, located, lines);
}
