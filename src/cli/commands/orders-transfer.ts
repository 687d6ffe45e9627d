import type { Fault, ImportReport } from '#sdk';
import type { Command } from 'commander';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { describeFaults } from '../faults.js';
import { startProgress } from '../progress.js';
import { perform } from '../session.js';
import { findStoreId } from '../store-argument.js';
import { writeLine, type Terminal } from '../terminal.js';
import { toPlain } from '../text-width.js';

const MIB = 1024 * 1024;

export function addOrderTransferCommands(orders: Command, terminal: Terminal): void {
  const take = orders
    .command('import')
    .description('take in orders, one JSON document a line')
    .argument('<file>', '.ndjson, or .ndjson.gz; - is the standard input');
  perform(take, terminal, async ({ connect, out }, _flags, path: string) => {
    const client = await connect();
    const size = path === '-' ? undefined : await sizeOf(path);
    const progress = startProgress(terminal, size);
    const source = path === '-' ? terminal.stdin : createReadStream(path, { highWaterMark: 256 * 1024 });
    const headers: Record<string, string> = /\.gz$/i.test(path) ? { 'content-encoding': 'gzip' } : {};
    let report: ImportReport;
    try {
      report = await client.importOrders(
        counted(source, (bytes) => progress.show(bytes, `${(bytes / MIB).toFixed(1)} MiB`)),
        { headers },
      );
    } finally {
      progress.end();
    }
    const { created, existing, refused } = report;
    out.done(`${created} created, ${existing} there already, ${refused} refused.`, report);
    if (refused > 0) throw refusedLines(terminal, path, report);
  });

  const give = orders
    .command('export')
    .description('write all orders of a store, oldest first, in the form that import takes')
    .argument('<store>', 'its id or external_id')
    .option('-o, --output <file>', 'a file; .gz is compressed. The standard output unless told');
  perform(give, terminal, async ({ connect, out }, { output }: { output?: string }, given: string) => {
    const client = await connect();
    const storeId = await findStoreId(client, given);
    const { count } = await client.listOrders(storeId, { page_size: 1 });
    const { bytes } = await client.exportOrders(storeId);
    const progress = startProgress(terminal, count);
    let lines = 0;
    const source = counted(
      Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]),
      (_bytes, piece) => {
        for (const byte of piece) if (byte === 0x0a) lines += 1;
        progress.show(lines, `${lines} orders`);
      },
    );
    try {
      if (output === undefined) for await (const piece of source) await writeWhole(terminal, piece);
      else await writeFile(source, output);
    } finally {
      progress.end();
    }
    if (output !== undefined)
      out.done(`Wrote ${lines} orders to ${output}.`, { orders: lines, file: output });
  });
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw new CommandFailed(EXIT.usage, `${path} cannot be read: ${(error as Error).message}`);
  }
}

async function* counted(
  source: Readable,
  onPiece: (bytesSoFar: number, piece: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of source as AsyncIterable<Buffer>) {
    bytes += piece.length;
    onPiece(bytes, piece);
    yield piece;
  }
}

/** Under another name until it is whole. */
async function writeFile(source: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const unfinished = createWriteStream(`${path}.part`);
  if (/\.gz$/i.test(path)) await pipeline(source, createGzip(), unfinished);
  else await pipeline(source, unfinished);
  await rename(`${path}.part`, path);
}

function writeWhole({ stdout }: Terminal, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

function refusedLines(terminal: Terminal, path: string, { refused, errors }: ImportReport): CommandFailed {
  const name = path === '-' ? 'line ' : `${path}:`;
  for (const { line, detail } of errors) {
    const reasons = Array.isArray(detail)
      ? describeFaults(terminal, detail as Fault[])
      : [toPlain(String(detail))];
    writeLine(terminal.stderr, `${name}${line}: ${reasons.join('; ')}`);
  }
  const more = refused - errors.length;
  const rest = more > 0 ? ` The first ${errors.length} are shown.` : '';
  return new CommandFailed(EXIT.refused, `${refused} lines were refused; the others are in.${rest}`);
}
