import { type Answer, createJsonLocator, type ErrorDetail, ValidationError } from '#sdk';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { ValidationFailed } from '../../support/error-details.js';
import { parseJson } from '../../support/json.js';
import {
  createPlaces,
  describeError,
  isCsv,
  isYaml,
  type Place,
  textError,
} from '../../support/text-file.js';
import { readYaml, YamlSyntaxError } from '../../support/yaml.js';
import type { CommandContext } from './command.js';
import { CommandFailed, EXIT, UsageError } from './errors.js';
import { paint, type Terminal } from './terminal.js';
import { counted, toPlain } from './text.js';

/** A file: the JSON bytes to send, and where in the file an error is. */
export interface Document {
  readonly name: string;
  readonly bytes: Uint8Array;
  locate(error: ErrorDetail): ErrorPosition | undefined;
}

/** In a spreadsheet an error has a cell, and words of its own. */
interface ErrorPosition extends Partial<Place> {
  readonly cell?: string;
  readonly text?: string;
}

interface TextFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** `-` is standard input. */
export async function readTextFile(terminal: Terminal, path: string): Promise<TextFile> {
  const name = path === '-' ? 'standard input' : path;
  const bytes = await readAll(path === '-' ? terminal.stdin : createReadStream(path), name);
  const text = new TextDecoder().decode(bytes);
  // A sheet may be in UTF-16, which looks binary here.
  const error = isCsv(name, text) ? undefined : textError(text, bytes);
  if (error !== undefined) throw new CommandFailed(EXIT.refused, `${name} ${error}`);
  return { name, bytes, text };
}

export async function readDocument(terminal: Terminal, path: string): Promise<Document> {
  return toDocument(await readTextFile(terminal, path));
}

/** JSON is sent unchanged, so that the service checks the very bytes of the file. */
export function toDocument({ name, bytes, text }: TextFile): Document {
  const placeAt = createPlaces(text);
  const yaml = isYaml(name, text) ? parseYaml(name, text) : undefined;
  const locate = yaml?.locate ?? createJsonLocator(text);
  return {
    name,
    bytes: yaml === undefined ? bytes : new TextEncoder().encode(JSON.stringify(yaml.value)),
    locate: (error) => {
      const [place, ...steps] = error.loc;
      if (place !== 'body') return undefined;
      const isInvalid = yaml === undefined && error.type === 'json_invalid';
      return isInvalid ? statedPlace(error) : placeAt(locate(steps));
    },
  };
}

/** The deepest nesting that an installation can be set to read. */
const MOST_DEPTH = 512;

/** The value in a file, for what is not sent as it is. */
export async function readValue(terminal: Terminal, path: string): Promise<{ name: string; value: unknown }> {
  const document = await readDocument(terminal, path);
  try {
    return { name: document.name, value: parseJson(document.bytes, { maxDepth: MOST_DEPTH }) };
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    throw pointInto(terminal, document, error.errors as ErrorDetail[]);
  }
}

/** Invalid JSON has no path to look up: the service reports the position itself. */
function statedPlace(error: ErrorDetail): Place | undefined {
  const { line, column } = (error as ErrorDetail & { ctx?: Partial<Place> }).ctx ?? {};
  return line === undefined || column === undefined ? undefined : { line, column };
}

function parseYaml(name: string, text: string): ReturnType<typeof readYaml> {
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    const { line, column } = createPlaces(text)(error.offset);
    throw new CommandFailed(EXIT.refused, `${name}:${line}:${column}: ${error.message}`);
  }
}

export async function readAll(source: Readable, name: string): Promise<Uint8Array> {
  try {
    return Buffer.concat(await (source as AsyncIterable<Buffer> & Readable).toArray());
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as Error).message}`);
  }
}

/** Posts a document. Validation errors are reported by their place in the file. */
export async function sendDocument(
  { terminal, client }: CommandContext,
  path: string,
  document: Document,
  headers: Record<string, string> = {},
): Promise<Answer<unknown>> {
  try {
    return await client.request({ method: 'POST', path, body: document.bytes, headers });
  } catch (error) {
    throw error instanceof ValidationError ? pointInto(terminal, document, error.errors) : error;
  }
}

/** Errors or warnings in the order of the file, those without a place first, with one line of output each. */
export function locateErrors(
  terminal: Terminal,
  document: Document,
  errors: readonly ErrorDetail[],
): { located: LocatedError[]; lines: string[] } {
  const located = errors
    .map((error): LocatedError => ({ ...error, ...document.locate(error) }))
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  return { located, lines: describeErrors(terminal, located, document.name) };
}

function pointInto(terminal: Terminal, document: Document, errors: readonly ErrorDetail[]): CommandFailed {
  const { located, lines } = locateErrors(terminal, document, errors);
  const count = counted(errors.length, 'error');
  return new CommandFailed(EXIT.refused, `${document.name} has ${count}.`, located, lines);
}

/** An error or warning that may have a place in a file. */
type LocatedError = ErrorDetail & ErrorPosition;

/** One line for each error, starting with its place in the file if known. */
export function describeErrors(terminal: Terminal, errors: readonly LocatedError[], file = ''): string[] {
  return errors.map((error) => {
    const place = error.cell ?? (error.line === undefined ? '' : `${error.line}:${error.column ?? 1}`);
    const lead = place === '' ? '' : `${file}:${place}: `;
    return paint(terminal, 'cyan', lead) + toPlain(error.text ?? describeError(error));
  });
}
