import { isIP } from 'node:net';
import type { AddressPolicy } from './addresses.js';

const LONGEST_URL = 2_048;

/** What is wrong with the address of an endpoint, as far as it can be known without asking anyone; undefined if nothing. */
export function urlFault(text: string, policy: AddressPolicy): string | undefined {
  if (text.length > LONGEST_URL) return `the URL should have at most ${LONGEST_URL} characters`;
  if (!URL.canParse(text)) return 'this is no URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'only http and https URLs are allowed';
  if (url.username !== '' || url.password !== '') return 'a URL with a user name or password is not allowed';
  if (url.port === '0') return 'nothing listens on port 0';
  return literalAddresses(url)
    .map((address) => policy.refusal(address))
    .find((reason) => reason !== undefined);
}

/**
 * The addresses that a URL names without a look-up. The URL parser has turned every spelling (decimal, octal,
 * hexadecimal, full-width digits) into the usual one by now.
 */
export function literalAddresses({ hostname }: URL): string[] {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return [address];
  return /^(.+\.)?localhost\.?$/.test(hostname) ? ['127.0.0.1'] : [];
}
