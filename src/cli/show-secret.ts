import { CommandFailed, EXIT } from './exit-codes.js';
import type { Output } from './output.js';

/**
 * Shows something whose secret is shown this once. A request that was sent again, because its first answer was lost on the way,
 * is answered without the secret: what has none is of no use, and `replace` is the command that gives it another.
 */
export function showSecret(out: Output, made: object, secret: string | undefined, replace: string): void {
  out.record(made);
  if (secret === undefined)
    throw new CommandFailed(
      EXIT.failed,
      `The secret was lost on the way. Replace it with: comanda ${replace}`,
    );
  out.note('Keep the secret now: it is shown this once.');
}
