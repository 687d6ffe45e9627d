import { command, type CommandRow } from '../lib/command.js';

/** The commands that run the service's own code. It is loaded only for them, so that other commands start faster. */
export const SERVE_ROWS: readonly CommandRow[] = [
  command('serve', 'run the service, configured by environment variables (PORT, DATABASE_URL, ...)', {
    run: async () => {
      // Importing the module starts the service.
      await import('../../main.js');
    },
  }),
  command('migrate', 'migrate the database to this version and exit; configured like serve', {
    flags: [['--citus', 'distribute the tables of a new installation over a Citus cluster']],
    run: async ({ out }, { citus = false }) => {
      const { migrateInstallation } = await import('../../start/installation.js');
      const { applied, spread } = await migrateInstallation(citus, (sentence) => out.note(sentence));
      const sentences = [
        applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
        ...(citus && spread.length === 0 ? ['Its tables are already distributed.'] : []),
        ...(spread.length === 0 ? [] : [`Distributed ${spread.join(', ')}.`]),
      ];
      out.done(sentences.join('\n'), citus ? { applied, spread } : { applied });
    },
  }),
];
