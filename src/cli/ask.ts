import { confirm, isCancel } from '@clack/prompts';
import { CommandFailed, EXIT } from './exit-codes.js';
import type { Session } from './session.js';

/** Goes on only when the person says so, or has said so beforehand with --yes. */
export async function confirmOrStop(
  { terminal }: Session,
  question: string,
  isAgreed: boolean | undefined,
): Promise<void> {
  if (isAgreed === true) return;
  if (!terminal.canAsk)
    throw new CommandFailed(EXIT.usage, `${question} There is no terminal to ask in: add --yes to go on.`);
  const answer = await confirm({
    message: question,
    initialValue: false,
    input: terminal.stdin,
    output: terminal.stderr,
  });
  if (isCancel(answer) || !answer) throw new CommandFailed(EXIT.declined, 'Nothing was changed.');
}
