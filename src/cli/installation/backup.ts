import { type ByteStream, type Client, type RestoreReport, ValidationError } from '#sdk';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { MERCHANT } from '../lib/arguments.js';
import { command, type CommandContext, type CommandRow, confirmOrStop } from '../lib/command.js';
import { CommandFailed, EXIT, UsageError } from '../lib/errors.js';
import { toPlain } from '../lib/text.js';
import { download, upload } from '../lib/transfer.js';

export const BACKUP_ROWS: readonly CommandRow[] = [
  command('backup', 'back up the whole installation to one archive (operator key)', {
    takes: [['[file]', 'output file, compressed if it ends in .gz (default: standard output)']],
    flags: [['-y, --yes', 'overwrite without asking']],
    run: (context, { file, yes }) => save(context, (client) => client.backup(), file, yes),
  }),
  command('merchants archive', 'write the archive of a merchant (operator key)', {
    takes: [MERCHANT, ['[file]', 'output file, compressed if it ends in .gz (default: standard output)']],
    flags: [['-y, --yes', 'overwrite without asking']],
    run: (context, { merchant, file, yes }) =>
      save(context, (client) => client.archiveMerchant(merchant), file, yes),
  }),
  command('merchants restore', 'take in the archive of a merchant, with the same ids (operator key)', {
    takes: [['<file>', 'the archive, plain or .gz; - for standard input']],
    run: (context, { file }) =>
      restoreFrom(context, file, (body, options) => context.client.restoreMerchant(body, {}, options)),
  }),
  command('restore', 'restore an archive into an installation without merchants (operator key)', {
    takes: [['<file>', 'the archive, plain or .gz; - for standard input']],
    flags: [['--erased-in <file>', 'a newer archive: customers that were erased by then are erased again']],
    run: async (context, { file, erasedIn }) => {
      const { client } = context;
      // Before the restore, which then brings none of them back.
      if (erasedIn !== undefined)
        for await (const ids of readErasures(erasedIn)) await client.eraseCustomers({ order_ids: ids });
      await restoreFrom(context, file, client.restore);
    },
  }),
];

type Restore = Parameters<typeof upload<RestoreReport>>[2];

async function restoreFrom({ out, terminal }: CommandContext, file: string, send: Restore): Promise<void> {
  const report = await upload(terminal, file, send).catch((error: unknown) => {
    throw error instanceof ValidationError ? refused(file, error) : error;
  });
  const counts = Object.entries(report.rows).map(
    ([table, count]) => `${count} ${table.replaceAll('_', ' ')}`,
  );
  out.done(`Restored ${counts.join(', ')}.`, report);
}

/** Writes an archive to a file or to standard output, and checks that it came whole. */
async function save(
  context: CommandContext,
  request: (client: Client) => Promise<{ readonly bytes: ByteStream }>,
  file: string | undefined,
  yes: true | undefined,
): Promise<void> {
  const output = file === '-' ? undefined : file;
  if (output === undefined && context.terminal.isForPeople)
    throw new UsageError('Will not write an archive to a terminal. Name a file, such as backup.ndjson.gz');
  const { client } = context;
  if (output !== undefined && (await isFile(output)))
    await confirmOrStop(context, `${output} already exists. Overwrite it?`, yes);
  const { bytes } = await request(client);
  const lines = await download(context.terminal, bytes, { output, check: requireEnd });
  if (output !== undefined) context.out.done(`Wrote ${output}, ${lines} lines.`, { lines, file: output });
}

const ERASED_AT_ONCE = 1_000;

/** The orders that an archive lists as erased, some at a time. */
async function* readErasures(path: string): AsyncGenerator<string[]> {
  const file = createReadStream(path);
  const input = /\.gz$/i.test(path) ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => input.destroy(error));
  let isList = false;
  let hasList = false;
  let ids: string[] = [];
  try {
    for await (const line of createInterface({ input })) {
      if (line.startsWith('{"end":')) break;
      if (line.startsWith('{"table":')) isList = line.startsWith('{"table":"erased_orders"');
      else if (isList) ids.push((JSON.parse(line) as { order_id: string }).order_id);
      hasList ||= isList;
      if (ids.length < ERASED_AT_ONCE) continue;
      yield ids;
      ids = [];
    }
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`);
  }
  if (!hasList) throw new UsageError(`${path} has no list of erased customers.`);
  if (ids.length > 0) yield ids;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/** Names the line of the archive that each error is in. */
function refused(path: string, { errors }: ValidationError): CommandFailed {
  const reasons = errors.map(
    ({ loc, msg }) => `${path}:${String(loc[1] ?? 1)}: ${toPlain(msg).replace(/^Value error, /, '')}`,
  );
  return new CommandFailed(EXIT.refused, `${reasons.join('\n')}. Nothing was restored.`, errors);
}

/** The last line of an archive: a response that was cut off has none. Its sum is checked where it is restored. */
function requireEnd(end: string): void {
  if (!/(^|\n)\{"end":.*\}\n$/.test(end))
    throw new CommandFailed(EXIT.failed, 'The archive was truncated on the way. Try again.');
}
