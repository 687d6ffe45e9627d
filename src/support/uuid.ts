import { randomInt } from 'node:crypto';

/** Number of values of each part of a UUIDv7 after its time: 12, 30 and 32 bits. */
export const HIGH_VALUES = 2 ** 12;
export const LOW_VALUES = 2 ** 30;
const TAIL_VALUES = 2 ** 32;

/** A UUIDv7 of the current millisecond, random except for the tail, if given. */
export function newUuidV7(now: number = Date.now(), tail: number = randomInt(TAIL_VALUES)): string {
  return composeUuidV7(uuidTime(now), randomInt(HIGH_VALUES), randomInt(LOW_VALUES), tail);
}

/** The first 48 bits in text form. */
export function uuidTime(ms: number): string {
  const text = hex(ms, 12);
  return `${text.slice(0, 8)}-${text.slice(8)}`;
}

export function composeUuidV7(time: string, high: number, low: number, tail: number): string {
  const variantAndLow = (0x8000_0000 + low).toString(16);
  return `${time}-7${hex(high, 3)}-${variantAndLow.slice(0, 4)}-${variantAndLow.slice(4)}${hex(tail, 8)}`;
}

/** Whether a UUID has version 7 and the RFC variant. */
export function isUuidV7(uuid: string): boolean {
  return uuid[14] === '7' && '89ab'.includes(uuid[19] ?? ' ');
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text can be an id at all; anything else need not be looked up. */
export function isResourceId(text: string): boolean;
export function isResourceId(text: string | undefined): text is string;
export function isResourceId(text: string | undefined): boolean {
  return text !== undefined && FORM.test(text);
}
