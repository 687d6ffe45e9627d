import type { ByteStream, CallOptions } from '#sdk';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { UsageError } from './errors.js';
import { type Terminal, writeInTime } from './terminal.js';

const MIB = 1024 * 1024;

/** Streams a file and shows how far it has come. A .gz file is sent compressed, as it is. `-` is standard input. */
export async function upload<T>(
  terminal: Terminal,
  path: string,
  send: (body: AsyncIterable<Uint8Array>, options: CallOptions) => Promise<T>,
): Promise<T> {
  if (path !== '-') await requireFile(path);
  const progress = startProgress(terminal);
  const source = path === '-' ? terminal.stdin : createReadStream(path, { highWaterMark: MIB / 4 });
  let bytes = 0;
  const body = watched(source as AsyncIterable<Buffer>, (chunk) => {
    bytes += chunk.length;
    progress.show(`${(bytes / MIB).toFixed(1)} MiB`);
  });
  try {
    return await send(body, { headers: /\.gz$/i.test(path) ? { 'content-encoding': 'gzip' } : {} });
  } finally {
    progress.end();
  }
}

export interface Download {
  /** Default: standard output. A name that ends in .gz is compressed. */
  readonly output: string | undefined;
  /** Checks the end of the last line; where it throws, no file gets its name. */
  readonly check?: (end: string) => void;
}

/** Writes newline-delimited JSON as it arrives and returns the number of lines. */
export async function download(
  terminal: Terminal,
  bytes: ByteStream,
  { output, check = () => undefined }: Download,
): Promise<number> {
  const progress = startProgress(terminal);
  let lines = 0;
  let tail: Uint8Array = new Uint8Array();
  const onChunk = (chunk: Uint8Array) => {
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, end + 1)) lines += 1;
    tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    progress.show(`${lines} lines`);
  };
  const source = watched(bytes, onChunk, () => check(Buffer.from(tail).toString()));
  try {
    if (output === undefined) {
      for await (const chunk of source) await writeInTime(terminal.stdout, chunk);
    } else {
      const packing = /\.gz$/i.test(output) ? [createGzip()] : [];
      await writeFileWhole([Readable.from(source), ...packing], output, 0o600);
    }
  } finally {
    progress.end();
  }
  return lines;
}

const NEWLINE = 0x0a;
/** Longer than any last line that a caller checks. */
const TAIL_BYTES = 4096;

/** A folder is no file to send, which the stream would say only after the request has begun. */
async function requireFile(path: string): Promise<void> {
  const unreadable = (why: string) => new UsageError(`Cannot read ${path}: ${why}`);
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable((error as Error).message);
  });
  if (found.isDirectory()) throw unreadable('it is a folder');
}

async function* watched(
  source: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
  onEnd: () => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    onChunk(chunk);
    yield chunk;
  }
  onEnd();
}

/** Writes a text that others may read, such as a menu. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  await writeFileWhole([Readable.from([Buffer.from(text)])], path, 0o666);
}

/** Writes to a temporary file, which gets its name once it is complete. */
async function writeFileWhole(from: readonly (Readable | Gzip)[], path: string, mode: number): Promise<void> {
  if (await isNoFile(path)) return pipeline([...from, createWriteStream(path)]);
  const unfinished = `${path}.part`;
  // A file left there is from an interrupted download, or is a link, which must not be followed.
  await rm(unfinished, { force: true });
  try {
    await pipeline([...from, createWriteStream(unfinished, { mode, flags: 'wx' })]);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** True for /dev/null, pipes and the like, which are written to in place. */
async function isNoFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile();
}

const EVERY_MS = 100;

/** How far it has come, on standard error, only in a terminal. */
function startProgress(terminal: Terminal): { show: (text: string) => void; end: () => void } {
  if (!terminal.canAsk) return { show: () => undefined, end: () => undefined };
  let shownAt = 0;
  return {
    show: (text) => {
      if (Date.now() - shownAt < EVERY_MS) return;
      shownAt = Date.now();
      terminal.stderr.write(`\r\u001b[K${text}`);
    },
    end: () => terminal.stderr.write('\r\u001b[K'),
  };
}
