import { EARLIEST_MS, LATEST_MS } from '../datetime.js';
import { isResourceId } from '../uuid.js';

/** An order's place in the list by last change: when, and which of those changed then. */
export interface ChangePlace {
  /** Milliseconds since 1970. */
  readonly updatedMs: number;
  readonly id: string;
}

const FORM = /^(-?\d{1,16})\.(.*)$/;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Before every order. */
export const FIRST_PLACE: ChangePlace = { updatedMs: EARLIEST_MS, id: FIRST_ID };

/** After every order that was changed at the moment, or before it. */
export function placeAfter(updatedMs: number): ChangePlace {
  return { updatedMs, id: LAST_ID };
}

export function isLater(one: ChangePlace, other: ChangePlace): boolean {
  return one.updatedMs === other.updatedMs ? one.id > other.id : one.updatedMs > other.updatedMs;
}

export function encodeChangeCursor({ updatedMs, id }: ChangePlace): string {
  return Buffer.from(`${updatedMs}.${id}`).toString('base64url');
}

/** undefined for a text that no cursor has. */
export function decodeChangeCursor(text: string): ChangePlace | undefined {
  const [, ms = '', id = ''] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const place = { updatedMs: Number(ms), id };
  const isWhole = isResourceId(id) && place.updatedMs >= EARLIEST_MS && place.updatedMs <= LATEST_MS;
  return isWhole && encodeChangeCursor(place) === text ? place : undefined;
}
