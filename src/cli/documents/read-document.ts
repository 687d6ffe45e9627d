import { locateInJson } from '#sdk';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { CommandFailed, EXIT } from '../exit-codes.js';
import type { Place } from '../faults.js';
import type { Terminal } from '../terminal.js';
import type { Document } from './document.js';
import { readYaml } from './read-yaml.js';

/** JSON goes out as it stands, so that the service judges the very bytes of the file. `-` is the standard input. */
export async function readDocument(terminal: Terminal, path: string): Promise<Document> {
  const name = path === '-' ? 'standard input' : path;
  const bytes = await readUpTo(path === '-' ? terminal.stdin : createReadStream(path), name);
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') throw new CommandFailed(EXIT.refused, `${name} is empty.`);
  if (text.includes('\0'))
    throw new CommandFailed(EXIT.refused, `${name} is neither JSON nor YAML, but binary.`);
  if (isYaml(path, text)) return readYaml(name, text);
  return {
    name,
    bytes,
    locate: ({ loc, type }) => {
      const [place, ...steps] = loc;
      if (place !== 'body') return undefined;
      if (type === 'json_invalid') return toPlace(text, unitsOf(text, Number(steps[0])));
      return toPlace(text, locateInJson(text, steps));
    },
  };
}

function isYaml(path: string, text: string): boolean {
  if (/\.ya?ml$/i.test(path)) return true;
  return !/\.json$/i.test(path) && !/^\s*[[{]/.test(text);
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

/** How long the first so many characters are as JavaScript counts, where an emoji is two. */
function unitsOf(text: string, characters: number): number {
  let at = 0;
  for (let passed = 0; passed < characters && at < text.length; passed += 1)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

/** Lines and columns count from 1, as editors do. */
function toPlace(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
