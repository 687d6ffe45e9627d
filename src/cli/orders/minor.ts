import { parseAmount } from '../../menu-files/sheet/money.js';
import { CommandFailed, EXIT } from '../lib/errors.js';

/** `2.50` in the minor unit of the currency. */
export function toMinor(text: string, currency: string | undefined): number {
  const isNegative = text.startsWith('-');
  const amount = parseAmount(isNegative ? text.slice(1) : text, currency);
  if (amount === undefined) throw new CommandFailed(EXIT.usage, `${text} is not an amount such as 2.50.`);
  return isNegative ? -amount : amount;
}
