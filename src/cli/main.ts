#!/usr/bin/env node
import { run } from './program.js';
import { loadCliConfig } from './lib/settings.js';
import { openTerminal } from './lib/terminal.js';

// A reader such as `head` may have seen enough: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const exitCode = await run(process.argv.slice(2), openTerminal(loadCliConfig()));
// `serve` has set its own where the service could not start.
process.exitCode ??= exitCode;
