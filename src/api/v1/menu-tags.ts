import type { MenuState } from '../../db/menu-versions.js';
import type { Coding } from '../../domain/body.js';
import type { MenuForm } from '../../domain/menu/publication.js';

/** The end of the store's id in its tags keeps another store's tag from ever matching. */
const STORE_DIGITS = 12;

/** A strong tag: equal tags mean equal bytes, so it names everything that the bytes depend on. */
export function menuTag(storeId: string, state: MenuState, form: MenuForm, coding: Coding): string {
  return `"${state.version}.${state.stockRevision}.${form}.${coding}.${storeId.slice(-STORE_DIGITS)}"`;
}

const MENU_TAG = /^"(\d+)\.\d+\.(?:tree|flat)\.(?:br|gzip|identity)\.([\da-f]+)"$/;

/** If-Match: strong comparison, on the version alone; any tag of the store's tree or flat form will do. */
export function expectedVersion(
  header: string | undefined,
  storeId: string,
): ((version: number) => boolean) | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const given = header.split(',').map((text) => text.trim());
  if (given.includes('*')) return undefined;
  const versions = given.flatMap((text) => {
    const match = MENU_TAG.exec(text);
    return match?.[2] === storeId.slice(-STORE_DIGITS) ? [Number(match[1])] : [];
  });
  return (version) => versions.includes(version);
}
