import type { ByteStream, CallOptions } from '#sdk';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CommandFailed, EXIT } from './exit-codes.js';
import { startProgress } from './progress.js';
import type { Terminal } from './terminal.js';

const MIB = 1024 * 1024;
/** Longer than any last line that someone asks about. */
const TAIL_BYTES = 4096;

/** Sends a file as a stream, with a bar; a file that ends in .gz goes out compressed, as it is. `-` is the standard input. */
export async function upload<T>(
  terminal: Terminal,
  path: string,
  send: (body: AsyncIterable<Uint8Array>, options: CallOptions) => Promise<T>,
): Promise<T> {
  const progress = startProgress(terminal, path === '-' ? undefined : await sizeOf(path));
  const source = path === '-' ? terminal.stdin : createReadStream(path, { highWaterMark: MIB / 4 });
  let bytes = 0;
  const body = watched(source as AsyncIterable<Buffer>, (piece) => {
    bytes += piece.length;
    progress.show(bytes, `${(bytes / MIB).toFixed(1)} MiB`);
  });
  try {
    return await send(body, { headers: /\.gz$/i.test(path) ? { 'content-encoding': 'gzip' } : {} });
  } finally {
    progress.end();
  }
}

export interface Download {
  /** The standard output unless told; a name that ends in .gz is compressed. */
  readonly output: string | undefined;
  /** How many lines to expect, for the bar. */
  readonly total?: number;
  /** Looks at the last line before the file gets its name. */
  readonly check?: (lastLine: string) => void;
}

/** Writes newline-delimited JSON as it comes; returns the number of lines. */
export async function download(
  terminal: Terminal,
  bytes: ByteStream,
  { output, total, check = () => undefined }: Download,
): Promise<number> {
  const progress = startProgress(terminal, total);
  let lines = 0;
  let tail = Buffer.alloc(0);
  const source = watched(bytes, (piece) => {
    for (const byte of piece) if (byte === 0x0a) lines += 1;
    tail = Buffer.concat([tail, piece.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    progress.show(lines, `${lines} lines`);
  });
  try {
    if (output === undefined) for await (const piece of source) await writeWhole(terminal, piece);
    else await writeUnfinished(source, output);
  } finally {
    progress.end();
  }
  check(tail.toString().trimEnd().split('\n').at(-1) ?? '');
  if (output !== undefined) await rename(unfinished(output), output);
  return lines;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw new CommandFailed(EXIT.usage, `${path} cannot be read: ${(error as Error).message}`);
  }
}

async function* watched(
  source: AsyncIterable<Uint8Array>,
  onPiece: (piece: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    onPiece(piece);
    yield piece;
  }
}

/** A file gets its name when it is whole. */
const unfinished = (path: string) => `${path}.part`;

async function writeUnfinished(source: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const target = createWriteStream(unfinished(path), { mode: 0o600 });
  if (/\.gz$/i.test(path)) await pipeline(source, createGzip(), target);
  else await pipeline(source, target);
}

function writeWhole({ stdout }: Terminal, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}
