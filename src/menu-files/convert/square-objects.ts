import type { ConvertOptions } from './conversion.js';
import { rootPart, type Part } from './source.js';

export function rootOf(value: unknown): Part {
  return rootPart(Array.isArray(value) ? { objects: value as unknown[] } : value);
}

export function objectsOf(root: Part): Part[] {
  return ['objects', 'related_objects', 'items'].flatMap((key) => root.parts(key));
}

/** What surrounds the data of every object. */
export const ENVELOPE = [
  ...['type', 'id', 'version', 'updated_at', 'created_at', 'is_deleted', 'catalog_v1_ids'],
  ...['present_at_all_locations', 'present_at_location_ids', 'absent_at_location_ids'],
];

/** A deleted object is there only to say so. */
export function isKept(object: Part): boolean {
  if (object.get('is_deleted') !== true) return true;
  object.settle();
  return false;
}

/** Why an object is not sold; undefined if it is. Without a location, what some location lacks is not sold. */
export function whyAbsent(
  object: Part,
  { location }: ConvertOptions,
  isAnywhereEnough = false,
): string | undefined {
  object.ignore(...ENVELOPE);
  if (object.get('is_deleted') === true) return 'left out: it is deleted';
  const isEverywhere = object.get('present_at_all_locations') !== false;
  const present = object.texts('present_at_location_ids');
  const absent = object.texts('absent_at_location_ids');
  if (location === undefined)
    return isAnywhereEnough || (isEverywhere && absent.length === 0)
      ? undefined
      : 'left out: not sold at every location; say which with --location';
  const isThere = isEverywhere ? !absent.includes(location) : present.includes(location);
  return isThere ? undefined : `left out: not sold at the location ${location}`;
}

/** An amount in the minor unit; undefined if it has none. Some programs write it as text. */
export function amountAt(part: Part, key: string, currencies: Set<string>): number | undefined {
  const money = part.part(key);
  const currency = money.text('currency');
  const amount = money.text('amount');
  if (amount === undefined || !/^-?\d+$/.test(amount)) return undefined;
  if (currency !== undefined) currencies.add(currency);
  return Number(amount);
}
