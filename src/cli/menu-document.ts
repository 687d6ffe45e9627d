import { ValidationError, type Answer, type Client, type MenuCheck } from '#sdk';
import type { Document } from './documents/document.js';
import { CommandFailed, EXIT } from './exit-codes.js';
import { describeFaults, inFileOrder } from './faults.js';
import type { Terminal } from './terminal.js';

/** Asks the service what publishing would do; a refusal points into the file. */
export async function checkDocument(
  terminal: Terminal,
  client: Client,
  storeId: string,
  document: Document,
): Promise<MenuCheck> {
  const path = `/manage/v1/stores/${storeId}/menu/check`;
  return (await send(terminal, client, path, document)).body as MenuCheck;
}

/** One line for each warning of a check, led by its place in the file. */
export function describeWarnings(terminal: Terminal, document: Document, { warnings }: MenuCheck): string[] {
  const located = warnings.map((warning) => ({ ...warning, ...document.locate(warning) })).sort(inFileOrder);
  return describeFaults(terminal, located, document.name);
}

/** Publishes what was checked, unless someone else has published since `tag` was read. */
export async function publishDocument(
  terminal: Terminal,
  client: Client,
  storeId: string,
  document: Document,
  tag: string | null,
): Promise<void> {
  const headers = tag === null ? {} : { 'if-match': tag };
  await send(terminal, client, `/v1/stores/${storeId}/menu_configuration/`, document, headers);
}

async function send(
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

function pointInto(terminal: Terminal, document: Document, { faults }: ValidationError): CommandFailed {
  const located = faults.map((fault) => ({ ...fault, ...document.locate(fault) })).sort(inFileOrder);
  const lines = describeFaults(terminal, located, document.name);
  const count = `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`;
  return new CommandFailed(EXIT.refused, `${document.name} has ${count}.`, located, lines);
}
