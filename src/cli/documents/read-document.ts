import { createJsonLocator, type Fault } from '#sdk';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createPlaces, isYaml, textFault, type Place } from '../../domain/text-file.js';
import { readYaml, YamlSyntaxError } from '../../domain/yaml.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import type { Terminal } from '../terminal.js';

/** A JSON or YAML file, as the JSON bytes to send, and able to say where a fault of them lies in it. */
export interface Document {
  readonly name: string;
  readonly bytes: Uint8Array;
  locate(fault: Fault): Place | undefined;
}

/** JSON goes out as it stands, so that the service judges the very bytes of the file. `-` is the standard input. */
export async function readDocument(terminal: Terminal, path: string): Promise<Document> {
  const name = path === '-' ? 'standard input' : path;
  const bytes = await readUpTo(path === '-' ? terminal.stdin : createReadStream(path), name);
  const text = new TextDecoder().decode(bytes);
  const fault = textFault(text);
  if (fault !== undefined) throw new CommandFailed(EXIT.refused, `${name} ${fault}`);
  return isYaml(path, text) ? fromYaml(name, text) : fromJson(name, text, bytes);
}

function fromJson(name: string, text: string, bytes: Uint8Array): Document {
  const locate = createJsonLocator(text);
  const placeAt = createPlaces(text);
  return {
    name,
    bytes,
    locate: (fault) => {
      const [place, ...steps] = fault.loc;
      if (place !== 'body') return undefined;
      return fault.type === 'json_invalid' ? statedPlace(fault) : placeAt(locate(steps));
    },
  };
}

/** What cannot be read has no parts to go by: the service says the place itself. */
function statedPlace(fault: Fault): Place | undefined {
  const { line, column } = (fault as Fault & { ctx?: Partial<Place> }).ctx ?? {};
  return line === undefined || column === undefined ? undefined : { line, column };
}

function fromYaml(name: string, text: string): Document {
  const placeAt = createPlaces(text);
  try {
    const { value, locate } = readYaml(text);
    return {
      name,
      bytes: new TextEncoder().encode(JSON.stringify(value)),
      locate: ({ loc: [place, ...steps] }) => (place === 'body' ? placeAt(locate(steps)) : undefined),
    };
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    const { line, column } = placeAt(error.offset);
    throw new CommandFailed(EXIT.refused, `${name}:${line}:${column}: ${error.message}`);
  }
}

/** Far more than the service takes. */
const MOST_MIB = 256;

/** All of a file or of the standard input; one that does not end is not read to its end. */
export async function readUpTo(source: Readable, name: string, mostMib = MOST_MIB): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > mostMib * 1024 * 1024) break;
      chunks.push(Buffer.from(chunk));
    }
  } catch (error) {
    throw new CommandFailed(EXIT.usage, `${name} cannot be read: ${(error as Error).message}`);
  }
  if (size > mostMib * 1024 * 1024)
    throw new CommandFailed(EXIT.refused, `${name} is larger than ${mostMib} MiB.`);
  return Buffer.concat(chunks);
}
