import type { MenuCheck, MenuConfigurationRequest } from '#sdk';
import { client } from '../../client.js';
import type { PlacedFault } from './judge-file.js';
import type { MenuFile, SoundFile } from './menu-file.js';

/** A file without faults, held against what is published. */
export interface Comparison {
  readonly name: string;
  readonly body: Uint8Array;
  readonly check: MenuCheck;
  readonly warnings: readonly PlacedFault[];
  /** Of the menu that the file was compared with. */
  readonly tag: string;
  readonly before: MenuConfigurationRequest;
  readonly after: MenuConfigurationRequest;
}

export async function compareMenu(
  storeId: string,
  file: MenuFile,
  { body, configuration: after }: SoundFile,
): Promise<Comparison> {
  // Read before the check: what is then agreed to is what gets replaced, or nothing is.
  const { headers } = await client.request({
    method: 'HEAD',
    path: `/v1/stores/${storeId}/menu_configuration/flat`,
    answer: 'nothing',
  });
  const check = (await sendMenu(`/manage/v1/stores/${storeId}/menu/check`, body)) as MenuCheck;
  const { current_version: version } = check;
  const before = version === 0 ? { items: [] } : await client.getMenuVersion(storeId, version);
  const warnings = await file.place(check.warnings);
  return { name: file.name, body, check, warnings, tag: headers.get('etag') ?? '', before, after };
}

/** Refused when someone else has published since the file was compared. */
export async function publish(storeId: string, { body, tag }: Comparison): Promise<void> {
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
