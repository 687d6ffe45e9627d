import { Type } from '../support/shape/type.js';
import type { Coding } from '../http/content-coding.js';
import type { MenuForm } from './publish/prepared-menu.js';
import type { MenuState } from './versions/versions.sql.js';

export const IfMatch = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description: 'ETag of the tree or flat form; 412 if someone else has published since',
      examples: ['*'],
    }),
  ),
});

/** The end of the store's id in its tags keeps another store's tag from ever matching. */
const STORE_DIGITS = 12;

/** A strong tag: equal tags mean equal bytes, so it names everything that the bytes depend on. */
export function menuTag(storeId: string, state: MenuState, form: MenuForm, coding: Coding): string {
  return `"${state.version}.${state.stockRevision}.${form}.${coding}.${storeId.slice(-STORE_DIGITS)}"`;
}

const MENU_TAG = /^"(\d+)\.\d+\.(?:tree|flat)\.(?:br|gzip|identity)\.([\da-f]+)"$/;

/**
 * If-Match: tells whether a version is one that the client has seen, by any strong tag of the store's tree or flat form;
 * undefined where any version will do.
 */
export function compileIfMatch(
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
