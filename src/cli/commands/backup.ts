import { ValidationError, type ByteStream } from '#sdk';
import type { Command } from 'commander';
import { stat } from 'node:fs/promises';
import { createArchiveSum, type ArchiveSum } from '../archive-sum.js';
import { confirmOrStop } from '../confirm-or-stop.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { toPlain } from '../plain-text.js';
import { setAction } from '../command-context.js';
import type { Terminal } from '../terminal.js';
import { download, upload } from '../transfer.js';

export function addBackupCommands(program: Command, terminal: Terminal): void {
  const backup = program
    .command('backup')
    .description('write the whole installation as one archive (operator key)')
    .argument('[file]', 'where to; .gz is compressed. The standard output unless told')
    .option('-y, --yes', 'do not ask before a file is overwritten');
  setAction(backup, terminal, async (context, { yes }: { yes?: boolean }, path?: string) => {
    const output = path === '-' ? undefined : path;
    if (output === undefined && terminal.isForPeople)
      throw new CommandFailed(
        EXIT.usage,
        'An archive is not for reading: name a file, such as backup.ndjson.gz',
      );
    const client = await context.connect();
    if (output !== undefined && (await isFile(output)))
      await confirmOrStop(context, `${output} is there already. Overwrite it?`, yes);
    const { bytes } = await client.backup();
    const sum = createArchiveSum();
    const check = (lastLine: string) => sum.compare(lastLine);
    const lines = await download(terminal, summed(bytes, sum), { output, check });
    if (output !== undefined) context.out.done(`Wrote ${output}, ${lines} lines.`, { lines, file: output });
  });

  const restore = program
    .command('restore')
    .description('take an archive into an installation that has no merchants yet (operator key)')
    .argument('<file>', 'the archive; .gz is understood, - is the standard input');
  setAction(restore, terminal, async ({ connect, out }, _flags, path: string) => {
    const client = await connect();
    const report = await upload(terminal, path, client.restore).catch((error: unknown) => {
      throw error instanceof ValidationError ? refused(path, error) : error;
    });
    const rows = Object.entries(report.rows).map(
      ([table, count]) => `${count} ${table.replaceAll('_', ' ')}`,
    );
    out.done(`Restored ${rows.join(', ')}.`, report);
  });
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

function summed(bytes: ByteStream, sum: ArchiveSum): ByteStream {
  const adding = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      sum.add(chunk);
      controller.enqueue(chunk);
    },
  });
  return bytes.pipeThrough(adding);
}

/** A fault of an archive lies in a line of it. */
function refused(path: string, { faults }: ValidationError): CommandFailed {
  const reasons = faults.map(
    ({ loc, msg }) => `${path}:${String(loc[1] ?? 1)}: ${toPlain(msg).replace(/^Value error, /, '')}`,
  );
  return new CommandFailed(EXIT.refused, `${reasons.join('\n')}. Nothing was restored.`, faults);
}
