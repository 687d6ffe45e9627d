import { STATUS_WORDS, type OrderStatus } from '../../../ui/order-status.js';

/** What a text in the search box asks for; what is left out is not asked for. */
export interface Search {
  readonly status: OrderStatus | undefined;
  readonly name: string | undefined;
  readonly phone: string | undefined;
  /** What may be the number that an order is called by. */
  readonly number: string | undefined;
}

const PHONE_WORD = /^[+(]?\d[\d().+/-]*$/;

/** Reads `ready nowak 555 01`: the words of a status, a part of a phone number, and for the rest a name. */
export function readSearch(text: string): Search {
  const { status, rest } = takeStatus(text);
  const words = rest.split(/\s+/).filter((word) => word !== '');
  const digits = words.filter((word) => PHONE_WORD.test(word)).join(' ');
  const letters = words.filter((word) => !PHONE_WORD.test(word)).join(' ');
  return {
    status,
    name: letters === '' ? undefined : letters,
    phone: digits === '' ? undefined : digits,
    number: words.length === 1 ? words[0] : undefined,
  };
}

function takeStatus(text: string): { status: OrderStatus | undefined; rest: string } {
  const padded = ` ${text.replaceAll(/\s+/g, ' ')} `;
  for (const [status, words] of Object.entries(STATUS_WORDS)) {
    const start = padded.toLowerCase().indexOf(` ${words.toLowerCase()} `);
    if (start < 0) continue;
    const rest = `${padded.slice(0, start)} ${padded.slice(start + words.length + 1)}`;
    return { status: status as OrderStatus, rest };
  }
  return { status: undefined, rest: text };
}
