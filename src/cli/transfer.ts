import type { ByteStream, CallOptions } from '#sdk';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CommandFailed, EXIT } from './exit-codes.js';
import { createNdjsonCheck } from './ndjson-check.js';
import { escapeJson } from './plain-text.js';
import { startProgress } from './progress.js';
import { writeInTime, type Terminal } from './terminal.js';

const MIB = 1024 * 1024;

/** Sends a file as a stream, with a bar; a file that ends in .gz goes out compressed, as it is. `-` is the standard input. */
export async function upload<T>(
  terminal: Terminal,
  path: string,
  send: (body: AsyncIterable<Uint8Array>, options: CallOptions) => Promise<T>,
): Promise<T> {
  const progress = startProgress(terminal, path === '-' ? undefined : await sizeOf(path));
  const source = path === '-' ? terminal.stdin : createReadStream(path, { highWaterMark: MIB / 4 });
  let bytes = 0;
  const body = watched(source as AsyncIterable<Buffer>, (chunk) => {
    bytes += chunk.length;
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
  const lines = createNdjsonCheck();
  const source = watched(bytes, (chunk) => {
    lines.add(chunk);
    progress.show(lines.count(), `${lines.count()} lines`);
  });
  const finish = () => check(lines.finish());
  try {
    if (output === undefined) await writeOut(terminal, source, finish);
    else await writeFileWhole(source, output, finish);
  } finally {
    progress.end();
  }
  return lines.count();
}

async function sizeOf(path: string): Promise<number> {
  const unreadable = (why: string) => new CommandFailed(EXIT.usage, `${path} cannot be read: ${why}`);
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable((error as Error).message);
  });
  if (found.isDirectory()) throw unreadable('it is a folder');
  return found.size;
}

async function* watched(
  source: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    onChunk(chunk);
    yield chunk;
  }
}

/** A terminal gets what it would obey as JSON escapes, which mean the same. */
async function writeOut(
  { stdout, isForPeople }: Terminal,
  source: AsyncIterable<Uint8Array>,
  finish: () => void,
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of source)
    await writeInTime(stdout, isForPeople ? escapeJson(decoder.decode(chunk, { stream: true })) : chunk);
  finish();
}

/** A file gets its name when it is whole. */
async function writeFileWhole(
  source: AsyncIterable<Uint8Array>,
  path: string,
  finish: () => void,
): Promise<void> {
  const from = /\.gz$/i.test(path) ? [Readable.from(source), createGzip()] : [Readable.from(source)];
  if (await isNoFile(path)) {
    await pipeline([...from, createWriteStream(path)]);
    finish();
    return;
  }
  const unfinished = `${path}.part`;
  // What lies there is from a download that broke off, or is a link, which must not be followed.
  await rm(unfinished, { force: true });
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await pipeline([...from, file.createWriteStream()]);
    finish();
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Such as /dev/null or a pipe, which are written to and stay what they are. */
async function isNoFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile();
}
