import type { Command } from 'commander';
import { perform } from '../session.js';
import type { Terminal } from '../terminal.js';

export function addServeCommand(program: Command, terminal: Terminal): void {
  const serve = program
    .command('serve')
    .description('run the service; the environment configures it (PORT, DATABASE_URL, ...)');
  perform(serve, terminal, async () => {
    // The module is the service: it starts when it is loaded, and in a cluster each worker loads it again.
    await import('../../server.js');
  });
}
