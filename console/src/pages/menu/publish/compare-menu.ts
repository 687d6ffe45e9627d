import type { MenuChange, MenuCheck, MenuConfigurationRequest } from '#sdk';
import { changesBetween } from '../../../../../src/menu-files/changes-between.js';
import type { MenuConfiguration } from '../../../../../src/menus/shapes.js';
import { client } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import type { LocatedError } from './check-file.js';
import type { MenuFile, SoundFile } from './menu-file.js';
import type { FileRemark } from './read-document.js';

/** A file without errors, held against what is published. */
export interface Comparison {
  readonly name: string;
  readonly body: Uint8Array;
  readonly check: MenuCheck;
  readonly warnings: readonly LocatedError[];
  readonly remarks: readonly FileRemark[];
  /** Of the menu that the file was compared with. */
  readonly tag: string;
  readonly before: MenuConfigurationRequest;
  readonly after: MenuConfigurationRequest;
  /** Of a sheet that is not the whole menu: what its rows change. */
  readonly changes?: MenuChange[] | undefined;
}

export async function compareMenu(
  storeId: string,
  file: MenuFile,
  { body, configuration: after, remarks }: SoundFile,
  basis?: PublishedMenu,
): Promise<Comparison> {
  // Read before the check: what is then agreed to is what gets replaced, or nothing is.
  const { headers } = await client.request({
    method: 'HEAD',
    path: `/v1/stores/${storeId}/menu_configuration/flat`,
    answer: 'nothing',
  });
  const check = (await sendMenu(`/manage/v1/stores/${storeId}/menu/check`, body)) as MenuCheck;
  const { current_version: version } = check;
  if (basis !== undefined && basis.version !== version)
    throw new Error(t('someone_else_published_while_this_file'));
  const before = basis?.menu ?? (await readVersion(storeId, version));
  const warnings = await file.relocate(check.warnings);
  return {
    name: file.name,
    body,
    check,
    warnings,
    remarks,
    tag: headers.get('etag') ?? '',
    before,
    after,
    changes:
      basis?.isWhole === false
        ? changesBetween(before as MenuConfiguration, after as MenuConfiguration)
        : undefined,
  };
}

export interface PublishedMenu {
  readonly version: number;
  readonly menu: MenuConfigurationRequest;
  /** The sheet takes its place; otherwise the rows of the sheet change it. */
  readonly isWhole: boolean;
}

/** What a sheet changes. */
export async function readPublished(storeId: string, isWhole: boolean): Promise<PublishedMenu> {
  const { current_version: version } = await client.listMenuVersions(storeId, { limit: 1 });
  return { version, menu: await readVersion(storeId, version), isWhole };
}

async function readVersion(storeId: string, version: number): Promise<MenuConfigurationRequest> {
  return version === 0 ? { items: [] } : client.getMenuVersion(storeId, version);
}

/** Refused when someone else has published since the file was compared. Changes leave sold-out marks alone. */
export async function publish(storeId: string, { body, tag, changes }: Comparison): Promise<void> {
  if (changes !== undefined) {
    await client.changeMenu(storeId, { changes }, {}, { headers: { 'if-match': tag } });
    return;
  }
  await sendMenu(`/v1/stores/${storeId}/menu_configuration/`, body, { 'if-match': tag });
}

async function sendMenu(
  path: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const answer = await client.request({
    method: 'POST',
    path,
    body,
    headers: { 'content-encoding': 'gzip', ...headers },
  });
  return answer.body;
}
