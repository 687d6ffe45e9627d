import { type Client, type Place, VALUES } from '#sdk';
import { codeSheet, expandLabels, guestLanguages } from '../../guest/code-sheet.js';
import { findStoreId, ofStore, STORE_ID, STORE_TEXT } from '../lib/arguments.js';
import { command, type CommandRow, oneCall } from '../lib/command.js';
import { UsageError } from '../lib/errors.js';
import type { Column } from '../lib/output.js';
import { counted } from '../lib/text.js';
import { writeTextFile } from '../lib/transfer.js';

export const PLACE = ofStore('place', readPlaces);

export const PLACE_ROWS: readonly CommandRow[] = [
  command('places add', "add places; 'Table {1..20}' adds twenty", {
    takes: [STORE_TEXT, ['<label>', 'what guests and staff call it; {1..20} stands for each number']],
    flags: [['--kind <kind>', 'what it is', VALUES.PlaceCreate.kind, 'table']],
    run: async ({ client, out }, { store, label: text, kind }) => {
      const labels = expandLabels(text);
      if (labels.length === 0) throw new UsageError('The range must ascend and have at most 1,000 numbers.');
      const storeId = await findStoreId(client, store);
      const made: Place[] = [];
      for (const label of labels) made.push(await client.createPlace(storeId, { label, kind }));
      out.list(made, '', PLACE_COLUMNS);
    },
  }),
  oneCall('places rotate', 'give a place a new code; the old one ends at once', {
    takes: [STORE_ID, PLACE],
    asks: (_client, { place }) => `Replace the code of ${place.label}? Its printed code ends.`,
    call: (client, { store, place }) => client.rotatePlace(store, place.id),
    shows: ({ out }, place) => out.list([place], '', PLACE_COLUMNS),
  }),
  oneCall('places remove', 'remove a place; its orders stay', {
    takes: [STORE_ID, PLACE],
    asks: (_client, { place }) => `Remove ${place.label}? Its printed code ends.`,
    call: (client, { store, place: { id } }) => client.deletePlace(store, id).then(() => ({ removed: id })),
    says: (_removed, { place }) => `Removed ${place.label}.`,
  }),
  command('places qr', 'write the QR codes of all active places, to print and cut', {
    takes: [STORE_ID],
    flags: [
      ['-o, --output <file>', 'SVG file (default: standard output)'],
      ['--address <url>', 'address at which guests reach the service (default: that of the service)'],
    ],
    run: async ({ client, out, terminal }, { store, output, address }) => {
      const active = (await readPlaces(client, store)).filter(({ status }) => status === 'active');
      const { name } = await client.getManagedStore(store);
      const { translations = {} } = name as { translations?: Record<string, string> };
      const { items } = await client.getMenuConfigurationFlat(store);
      const svg = codeSheet(
        active.map(({ label, code, url }) => ({ label, url: at(address, code, url) })),
        { title: Object.values(translations)[0], languages: guestLanguages({ translations }, items) },
      );
      if (output === undefined) terminal.stdout.write(svg);
      else {
        await writeTextFile(output, svg);
        out.note(`Wrote ${output} with ${counted(active.length, 'code')}.`);
      }
    },
  }),
];

function at(address: string | undefined, code: string, url: string): string {
  if (address === undefined) return url;
  if (!URL.canParse(address)) throw new UsageError(`--address ${address} is not an address.`);
  return new URL(`/order/${code}`, address).href;
}

/** As many as a store may have. */
export function readPlaces(client: Client, storeId: string): Promise<Place[]> {
  return client.listPlaces(storeId, { limit: 1_000 });
}

export const PLACE_COLUMNS: readonly Column<Place>[] = [
  { title: 'LABEL', value: ({ label }) => label, shrinksTo: 8 },
  { title: 'KIND', value: ({ kind }) => kind, isExtra: true },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'ADDRESS', value: ({ url }) => url },
  { title: 'ID', value: ({ id }) => id, isExtra: true },
];
