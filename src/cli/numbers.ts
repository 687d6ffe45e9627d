import { InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It should be a whole number.');
  return Number(text);
}
