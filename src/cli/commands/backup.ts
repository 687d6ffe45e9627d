import type { Command } from 'commander';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { perform } from '../session.js';
import type { Terminal } from '../terminal.js';
import { download, upload } from '../transfer.js';

export function addBackupCommands(program: Command, terminal: Terminal): void {
  const backup = program
    .command('backup')
    .description('write the whole installation as one archive (operator key)')
    .option('-o, --output <file>', 'a file; .gz is compressed. The standard output unless told');
  perform(backup, terminal, async ({ connect, out }, { output }: { output?: string }) => {
    if (output === undefined && terminal.isForPeople)
      throw new CommandFailed(EXIT.usage, 'An archive is not for reading: add --output backup.ndjson.gz');
    const { bytes } = await (await connect()).backup();
    const lines = await download(terminal, bytes, { output, check: requireEnd });
    if (output !== undefined) out.done(`Wrote ${output}, ${lines} lines.`, { lines, file: output });
  });

  const restore = program
    .command('restore')
    .description('take an archive into an installation that has no merchants yet (operator key)')
    .argument('<file>', 'the archive; .gz is understood, - is the standard input');
  perform(restore, terminal, async ({ connect, out }, _flags, path: string) => {
    const client = await connect();
    const report = await upload(terminal, path, client.restore);
    const rows = Object.entries(report.rows).map(
      ([table, count]) => `${count} ${table.replaceAll('_', ' ')}`,
    );
    out.done(`Restored ${rows.join(', ')}.`, report);
  });
}

/** The last line of an archive tells that nothing is missing. */
function requireEnd(lastLine: string): void {
  if (!lastLine.startsWith('{"end":'))
    throw new CommandFailed(EXIT.failed, 'The archive was cut off on its way. Try again.');
}
