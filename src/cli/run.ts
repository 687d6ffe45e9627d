import { ApiError, ConnectionError, ValidationError } from '#sdk';
import { CommanderError, InvalidArgumentError } from 'commander';
import { CommandFailed, EXIT, exitCodeOf } from './exit-codes.js';
import { describeFaults } from './faults.js';
import { buildProgram } from './program.js';
import { paint, writeLine, type Terminal } from './terminal.js';

/** Runs one command line; resolves to its exit code. */
export async function run(commandLine: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await buildProgram(terminal).parseAsync(commandLine, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof InvalidArgumentError) {
      explain(terminal, error);
      return EXIT.usage;
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const exitCode = exitCodeOf(error);
    if (commandLine.includes('--json')) writeLine(terminal.stderr, JSON.stringify(toJson(error, exitCode)));
    else explain(terminal, error);
    return exitCode;
  }
}

function toJson(error: unknown, exitCode: number): object {
  const { message, ...more } = error as Error;
  const status = error instanceof ApiError ? { status: error.status, detail: error.detail } : {};
  const detail = error instanceof CommandFailed && 'detail' in more ? { detail: error.detail } : {};
  return { error: { message, exit_code: exitCode, ...status, ...detail } };
}

const START_OR_NAME_ONE =
  'Is the service running there? `comanda serve` starts one on this machine, --url names another.';

function explain(terminal: Terminal, error: unknown): void {
  const say = (text: string) => writeLine(terminal.stderr, text);
  const lead = paint(terminal, 'red', 'Error:');
  if (error instanceof ValidationError) {
    say(`${lead} the service refused this.`);
    for (const line of describeFaults(terminal, error.faults)) say(line);
  } else if (error instanceof ApiError) {
    const hint = hintFor(error);
    say(`${lead} ${error.message}${hint === '' ? '' : `\n${hint}`}`);
    if (error.status >= 500 && error.requestId !== undefined) say(`Request ${error.requestId}`);
  } else if (error instanceof ConnectionError) {
    say(`${lead} ${error.message}\n${START_OR_NAME_ONE}`);
  } else if (error instanceof Error) {
    say(`${lead} ${error.message}`);
  } else {
    say(`${lead} ${String(error)}`);
  }
}

function hintFor({ status }: ApiError): string {
  switch (status) {
    case 401:
      return 'The key is unknown, expired or revoked. `comanda doctor` shows where it came from.';
    case 403:
      return 'Ask the operator for a key with that permission.';
    case 503:
      return 'The service runs, but its database is away. Try again, or look at its log.';
    default:
      return '';
  }
}
