import { createInterface } from 'node:readline/promises';
import { CommandFailed, EXIT } from './exit-codes.js';
import { toPlain } from './plain-text.js';
import type { CommandContext } from './command-context.js';

/** Goes on only when the person says so, or has said so beforehand with --yes. */
export async function confirmOrStop(
  { terminal }: CommandContext,
  question: string,
  isAgreed: boolean | undefined,
): Promise<void> {
  if (isAgreed === true) return;
  if (!terminal.canAsk)
    throw new CommandFailed(EXIT.usage, `${question} There is no terminal to ask in: add --yes to go on.`);
  terminal.stderr.write(`${toPlain(question)} [y/N] `);
  // Without `terminal` the line is edited by the terminal itself, and Ctrl-C ends the command as it ends any other.
  const lines = createInterface({ input: terminal.stdin, terminal: false });
  const answer = await lines[Symbol.asyncIterator]().next();
  lines.close();
  if (answer.done === true) terminal.stderr.write('\n');
  if (answer.done === true || !/^\s*y(es)?\s*$/i.test(answer.value))
    throw new CommandFailed(EXIT.declined, 'Nothing was changed.');
}
