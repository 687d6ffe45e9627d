import { isAbsolute } from 'node:path';
import { parseDatabaseAddress } from './domain/database-address.js';
import { parseSubnet, type Subnet } from './domain/webhook/addresses.js';

/** How the text of a setting is read; undefined where it is none that is allowed. */

export function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    if (!/^\d+$/.test(text)) return undefined;
    const value = Number(text);
    return value >= least && value <= most ? value : undefined;
  };
}

export function oneOf<const T extends readonly string[]>(
  allowed: T,
): (text: string) => T[number] | undefined {
  return (text) => allowed.find((value) => value === text.toLowerCase());
}

export function secretText(text: string): string | undefined {
  return /^[\x21-\x7e][\x20-\x7e]{30,253}[\x21-\x7e]$/.test(text) ? text : undefined;
}

export function absolutePath(text: string): string | undefined {
  return isAbsolute(text) ? text : undefined;
}

export function hostName(text: string): string | undefined {
  return /^[^\s/]+$/.test(text) ? text : undefined;
}

/** Written as browsers send them: scheme, host and port, nothing after. */
export function origins(text: string): string[] | undefined {
  const given = text.split(',').map((origin) => origin.trim());
  return given.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)
    ? given
    : undefined;
}

export function subnets(text: string): Subnet[] | undefined {
  const given = text.split(',').map((range) => parseSubnet(range.trim()));
  const known = given.filter((range) => range !== undefined);
  return known.length === given.length ? known : undefined;
}

export function postgresUrl(text: string): string | undefined {
  return parseDatabaseAddress(text) === undefined ? undefined : text;
}
