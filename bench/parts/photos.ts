import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { compareRates } from '../measure/compare.js';
import { requestBytes } from '../measure/load.js';
import { publishMenu, type Setting } from '../servers/service.js';
import { compareSent } from './tree.js';

const CONNECTIONS = 16;
const ROUNDS = 9;
const PHOTO = fileURLToPath(new URL('../../../src/demo/photos/grilled-cheese.webp', import.meta.url));

export const photos: Part = {
  name: 'photos',
  title: 'Photos',
  notes: `A photo of the demo restaurant as guests get it. Reference: \`bench/references/bare-http.ts\`, which sends the same bytes with the
same headers. Then the guests' menu of 250 items, each with a photo, against the same menu with none: photos are loaded when they are near,
so that the menu is all that the first text waits for.`,
  run: async (bench) => {
    // A place takes ten requests a second.
    const setting = await bench.own({ env: { COMANDA_RATE_LIMIT: 'off' } });
    const plain = await openStore(setting);
    const shown = await openStore(setting);
    const url = await putPhotos(setting, shown.storeId);
    const menuOf = ({ code }: { readonly code: string }) => ({
      server: setting.service,
      requests: [
        requestBytes({ path: `/guest/v1/places/${code}/menu`, headers: { 'accept-encoding': 'br' } }),
      ],
    });
    return [
      await compareSent(bench, setting.service, {
        name: `a photo, ${CONNECTIONS} connections`,
        path: url,
        headers: {},
        connections: CONNECTIONS,
      }),
      await compareRates(bench, {
        name: 'menu with 250 photos against none',
        service: menuOf(shown),
        reference: menuOf(plain),
        connections: CONNECTIONS,
        expectStatus: 200,
        rounds: ROUNDS,
      }),
    ];
  },
};

/** A store of 250 items with a table for guests. */
async function openStore(setting: Setting): Promise<{ readonly storeId: string; readonly code: string }> {
  const { service } = setting;
  const storeId = await publishMenu(setting, menuJson(MENUS[250]));
  const path = `/manage/v1/stores/${storeId}`;
  await service.ask(path, { method: 'PATCH', body: { guest: { enabled: true } } });
  const body = { label: 'Table 1', kind: 'table' };
  return { storeId, code: (await service.ask<{ code: string }>(`${path}/places`, { body })).code };
}

/** Gives every item a photo of its own, in both sizes; the address of the last. */
async function putPhotos({ service, tenant }: Setting, storeId: string): Promise<string> {
  const headers = { 'x-api-key': tenant.key, 'content-type': 'image/webp' };
  const sizes = {
    large: await readFile(PHOTO),
    small: await readFile(PHOTO.replace('.webp', '.small.webp')),
  };
  const { items } = JSON.parse(menuJson(MENUS[250])) as { items: readonly { external_id: string }[] };
  const path = `http://127.0.0.1:${service.port}/manage/v1/stores/${storeId}/menu/items`;
  let url = '';
  for (const [i, { external_id: id }] of items.entries())
    for (const [size, photo] of Object.entries(sizes)) {
      const body = Buffer.from(photo);
      // Other pixels, so that the address is another one too.
      body.writeUInt32LE(i, body.length - 4);
      const address = `${path}/${encodeURIComponent(id)}/photo?size=${size}`;
      const response = await fetch(address, { method: 'PUT', headers, body });
      if (!response.ok) throw new Error(`${address} returned ${response.status}`);
      if (size === 'large') ({ url } = (await response.json()) as { url: string });
    }
  return url;
}
