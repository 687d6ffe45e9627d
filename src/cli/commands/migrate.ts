import type { Command } from 'commander';
import { perform } from '../session.js';
import type { Terminal } from '../terminal.js';

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  const migrate = program
    .command('migrate')
    .description('bring the database up to this version and end; the environment names it, as for serve');
  perform(migrate, terminal, async ({ out }) => {
    // Loaded here, so that no other command waits for the database code.
    const { migrateInstallation } = await import('../../migrate-installation.js');
    const applied = await migrateInstallation();
    const sentence = applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`;
    out.done(sentence, { applied });
  });
}
