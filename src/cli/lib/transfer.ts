import type { ByteStream, CallOptions } from '#sdk';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { CommandFailed, EXIT } from './errors.js';
import { type Terminal, writeInTime } from './terminal.js';
import { escapeJson } from './text.js';

const MIB = 1024 * 1024;

/** Streams a file with a progress bar. A .gz file is sent compressed, as it is. `-` is standard input. */
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
  /** Default: standard output. A name that ends in .gz is compressed. */
  readonly output: string | undefined;
  /** Expected number of lines, for the progress bar. */
  readonly total?: number;
  readonly onChunk?: (chunk: Uint8Array) => void;
  /** Checks the last line before the file gets its name. */
  readonly check?: (lastLine: string) => void;
}

/** Writes newline-delimited JSON as it arrives and returns the number of lines. */
export async function download(
  terminal: Terminal,
  bytes: ByteStream,
  { output, total, onChunk, check = () => undefined }: Download,
): Promise<number> {
  const progress = startProgress(terminal, total);
  const lines = countLines();
  const source = watched(bytes, (chunk) => {
    lines.add(chunk);
    onChunk?.(chunk);
    progress.show(lines.count(), `${lines.count()} lines`);
  });
  const finish = () => check(lines.finish());
  try {
    if (output === undefined) await writeOut(terminal, source, finish);
    else {
      const packing = /\.gz$/i.test(output) ? [createGzip()] : [];
      await writeFileWhole([Readable.from(source), ...packing], output, { mode: 0o600, finish });
    }
  } finally {
    progress.end();
  }
  return lines.count();
}

async function sizeOf(path: string): Promise<number> {
  const unreadable = (why: string) => new CommandFailed(EXIT.usage, `Cannot read ${path}: ${why}`);
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

/** Writes terminal control characters as JSON escapes, which mean the same. */
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

/** Writes a text that others may read, such as a menu. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  await writeFileWhole([Readable.from([Buffer.from(text)])], path, { mode: 0o666, finish: () => undefined });
}

/** Writes to a temporary file, which gets its name once it is complete. */
async function writeFileWhole(
  from: readonly (Readable | Gzip)[],
  path: string,
  { mode, finish }: { readonly mode: number; readonly finish: () => void },
): Promise<void> {
  if (await isNoFile(path)) {
    await pipeline([...from, createWriteStream(path)]);
    finish();
    return;
  }
  const unfinished = `${path}.part`;
  // A file left there is from an interrupted download, or is a link, which must not be followed.
  await rm(unfinished, { force: true });
  const file = await open(unfinished, 'wx', mode);
  try {
    await pipeline([...from, file.createWriteStream()]);
    finish();
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

const NEWLINE = 0x0a;
/** Longer than any last line that a caller checks. */
const TAIL_BYTES = 4096;

/** Counts the lines of newline-delimited JSON as it passes. */
function countLines() {
  let count = 0;
  let tail: Uint8Array = new Uint8Array();
  return {
    add(chunk: Uint8Array): void {
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, end + 1)) count += 1;
      tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    },
    count: () => count,
    /** The last line, once everything has passed; a response that ends within a line was cut off. */
    finish: (): string => {
      if (tail.length > 0 && tail.at(-1) !== NEWLINE)
        throw new CommandFailed(
          EXIT.failed,
          `The response ends in the middle of line ${count + 1}. Try again.`,
        );
      return Buffer.from(tail).toString().trimEnd().split('\n').at(-1) ?? '';
    },
  };
}

interface Progress {
  /** Shows `done` of the total, if the total is known. */
  show(done: number, text: string): void;
  end(): void;
}

const BAR = 20;
const EVERY_MS = 100;

/** A progress bar on standard error, only in a terminal. */
function startProgress(terminal: Terminal, total: number | undefined): Progress {
  if (!terminal.canAsk) return { show: () => undefined, end: () => undefined };
  let shownAt = 0;
  return {
    show: (done, text) => {
      if (Date.now() - shownAt < EVERY_MS) return;
      shownAt = Date.now();
      const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
      terminal.stderr.write(`\r\u001b[K${barOf(share)}${text}`.slice(0, terminal.columns + 3));
    },
    end: () => terminal.stderr.write('\r\u001b[K'),
  };
}

function barOf(share: number | undefined): string {
  if (share === undefined) return '';
  const full = Math.round(share * BAR);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR - full)}] ${Math.floor(share * 100)} %  `;
}
