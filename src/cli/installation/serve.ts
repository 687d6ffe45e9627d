import type { Command } from 'commander';
import { setAction } from '../lib/command.js';
import type { Terminal } from '../lib/terminal.js';

/** The commands that run the service's own code. It is loaded only for them, so that other commands start faster. */
export function addServeCommands(program: Command, terminal: Terminal): void {
  const serve = program
    .command('serve')
    .description('run the service, configured by environment variables (PORT, DATABASE_URL, ...)');
  setAction(serve, terminal, async () => {
    // Importing the module starts the service; in a cluster each worker imports it again.
    await import('../../main.js');
  });

  const migrate = program
    .command('migrate')
    .description('migrate the database to this version and exit; configured like serve')
    .option('--citus', 'distribute the tables of a new installation over a Citus cluster');
  setAction(migrate, terminal, async ({ out }) => {
    const { migrateInstallation } = await import('../../start/installation.js');
    const { citus = false } = migrate.opts<{ citus?: boolean }>();
    const { applied, spread } = await migrateInstallation({ citus, say: (sentence) => out.note(sentence) });
    const sentences = [
      applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
      ...(citus && spread.length === 0 ? ['Its tables are already distributed.'] : []),
      ...(spread.length === 0 ? [] : [`Distributed ${spread.join(', ')}.`]),
    ];
    out.done(sentences.join('\n'), citus ? { applied, spread } : { applied });
  });
}
