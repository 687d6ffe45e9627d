import { ApiError, ConnectionError, ValidationError } from '#sdk';
import { CommanderError, InvalidArgumentError } from 'commander';
import { CommandFailed, EXIT, exitCodeOf } from './exit-codes.js';
import { describeFaults } from './describe-faults.js';
import { toPlain, toPlainLines, toSafeJson } from './plain-text.js';
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
    if (commandLine.includes('--json')) writeLine(terminal.stderr, toSafeJson(toJson(error, exitCode)));
    else explain(terminal, error);
    return exitCode;
  }
}

function toJson(error: unknown, exitCode: number): object {
  const status = error instanceof ApiError ? { status: error.status, detail: error.detail } : {};
  const detail = error instanceof CommandFailed && error.detail !== undefined ? { detail: error.detail } : {};
  return { error: { message: messageOf(error), exit_code: exitCode, ...status, ...detail } };
}

/** A TypeError comes of reading an answer of another shape than the services of this version give. */
function messageOf(error: unknown): string {
  if (error instanceof TypeError)
    return `The answer is not understood (${error.message}). Is this the address of a Comanda, of this version?`;
  return error instanceof Error ? error.message : String(error);
}

const START_OR_NAME_ONE =
  'Is the service running there? `comanda serve` starts one on this machine, --url names another.';

function explain(terminal: Terminal, error: unknown): void {
  const say = (text: string) => writeLine(terminal.stderr, text);
  const lead = paint(terminal, 'red', 'Error:');
  if (error instanceof ValidationError && error.faults.length > 0) {
    say(`${lead} the service refused this.`);
    for (const line of describeFaults(terminal, error.faults)) say(line);
    return;
  }
  say(`${lead} ${toPlainLines(messageOf(error))}`);
  if (error instanceof CommandFailed) for (const line of error.lines) say(line);
  if (error instanceof ConnectionError) say(START_OR_NAME_ONE);
  if (!(error instanceof ApiError)) return;
  if (hintFor(error) !== '') say(hintFor(error));
  if (error.status >= 500 && error.requestId !== undefined) say(`Request ${toPlain(error.requestId)}`);
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
