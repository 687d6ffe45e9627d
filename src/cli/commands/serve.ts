import type { Command } from 'commander';
import { setAction } from '../command-context.js';
import type { Terminal } from '../terminal.js';

/** What runs here instead of asking a service; loaded only then, so that no other command waits for it. */
export function addServeCommands(program: Command, terminal: Terminal): void {
  const serve = program
    .command('serve')
    .description('run the service; the environment configures it (PORT, DATABASE_URL, ...)');
  setAction(serve, terminal, async () => {
    // The module is the service: it starts when it is loaded, and in a cluster each worker loads it again.
    await import('../../server.js');
  });

  const migrate = program
    .command('migrate')
    .description('bring the database up to this version and end; the environment names it, as for serve')
    .option('--citus', 'spread the tables of a new installation over the nodes of a Citus cluster');
  setAction(migrate, terminal, async ({ out }) => {
    const { migrateInstallation } = await import('../../start/migrate-installation.js');
    const { citus = false } = migrate.opts<{ citus?: boolean }>();
    const { applied, spread } = await migrateInstallation({ citus, say: (sentence) => out.note(sentence) });
    const sentences = [
      applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
      ...(citus && spread.length === 0 ? ['Its tables are spread over the nodes already.'] : []),
      ...(spread.length === 0 ? [] : [`Spread over the nodes: ${spread.join(', ')}.`]),
    ];
    out.done(sentences.join('\n'), citus ? { applied, spread } : { applied });
  });
}
