import type { Client, Place } from '#sdk';
import { type Command, Option } from 'commander';
import { codeSheet, expandLabels } from '../../guest/code-sheet.js';
import { findStoreId, STORE, YES } from '../lib/arguments.js';
import { confirmOrStop, setAction, type CommandContext } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import type { Terminal } from '../lib/terminal.js';
import { writeTextFile } from '../lib/transfer.js';

const PLACE = ['<place>', 'place id or label'] as const;

export function addPlaceCommands(program: Command, terminal: Terminal): void {
  const places = program
    .command('places')
    .description('tables and pick-up points where guests order by QR code');

  const list = places
    .command('list')
    .description('list the places of a store')
    .argument(...STORE);
  setAction(list, terminal, async ({ connect, out }, _flags: object, given: string) => {
    const client = await connect();
    show({ out }, await readPlaces(client, await findStoreId(client, given)));
  });

  const add = places
    .command('add')
    .description("add places; 'Table {1..20}' adds twenty")
    .argument(...STORE)
    .argument('<label>', 'what guests and staff call it; {1..20} stands for each number')
    .addOption(new Option('--kind <kind>', 'what it is').choices(['table', 'pickup']).default('table'));
  setAction(
    add,
    terminal,
    async ({ connect, out }, { kind }: { kind: Place['kind'] }, given: string, text: string) => {
      const labels = expandLabels(text);
      if (labels.length === 0)
        throw new CommandFailed(EXIT.usage, 'The range must ascend and have at most 1,000 numbers.');
      const client = await connect();
      const storeId = await findStoreId(client, given);
      const made: Place[] = [];
      for (const label of labels) made.push(await client.createPlace(storeId, { label, kind }));
      show({ out }, made);
    },
  );

  const rotate = places
    .command('rotate')
    .description('give a place a new code; the old one ends at once')
    .argument(...STORE)
    .argument(...PLACE)
    .option(...YES);
  setAction(rotate, terminal, async (context, { yes }: { yes?: boolean }, given: string, wanted: string) => {
    const { client, storeId, place } = await findPlace(context, given, wanted);
    await confirmOrStop(context, `Replace the code of ${place.label}? Its printed code ends.`, yes);
    show(context, [await client.rotatePlace(storeId, place.id)]);
  });

  const remove = places
    .command('remove')
    .description('remove a place; its orders stay')
    .argument(...STORE)
    .argument(...PLACE)
    .option(...YES);
  setAction(remove, terminal, async (context, { yes }: { yes?: boolean }, given: string, wanted: string) => {
    const { client, storeId, place } = await findPlace(context, given, wanted);
    await confirmOrStop(context, `Remove ${place.label}? Its printed code ends.`, yes);
    await client.deletePlace(storeId, place.id);
    context.out.done(`Removed ${place.label}.`, { removed: place.id });
  });

  const qr = places
    .command('qr')
    .description('write the QR codes of all active places, to print and cut')
    .argument(...STORE)
    .option('-o, --output <file>', 'SVG file (default: standard output)')
    .option('--address <url>', 'address at which guests reach the service (default: that of the service)');
  setAction(
    qr,
    terminal,
    async ({ connect, out }, flags: { output?: string; address?: string }, given: string) => {
      const client = await connect();
      const all = await readPlaces(client, await findStoreId(client, given));
      const active = all.filter(({ status }) => status === 'active');
      const svg = codeSheet(
        active.map(({ label, code, url }) => ({ label, url: at(flags.address, code, url) })),
      );
      if (flags.output === undefined) terminal.stdout.write(svg);
      else {
        await writeTextFile(flags.output, svg);
        out.note(`Wrote ${flags.output} with ${active.length} ${active.length === 1 ? 'code' : 'codes'}.`);
      }
    },
  );
}

function at(address: string | undefined, code: string, url: string): string {
  if (address === undefined) return url;
  if (!URL.canParse(address)) throw new CommandFailed(EXIT.usage, `--address ${address} is not an address.`);
  return new URL(`/order/${code}`, address).href;
}

const MOST_PLACES = 1_000;

function readPlaces(client: Client, storeId: string): Promise<Place[]> {
  return client.listPlaces(storeId, { limit: MOST_PLACES });
}

async function findPlace({ connect }: CommandContext, given: string, wanted: string) {
  const client = await connect();
  const storeId = await findStoreId(client, given);
  const found = (await readPlaces(client, storeId)).filter(
    ({ id, label, external_id: externalId }) => id === wanted || label === wanted || externalId === wanted,
  );
  const [place] = found;
  if (place === undefined)
    throw new CommandFailed(
      EXIT.notFound,
      `No place has the id or label ${wanted}. See: comanda places list`,
    );
  if (found.length > 1)
    throw new CommandFailed(EXIT.usage, `${found.length} places are called ${wanted}. Use the id instead.`);
  return { client, storeId, place };
}

function show({ out }: Pick<CommandContext, 'out'>, places: readonly Place[]): void {
  out.list(
    places,
    [
      { title: 'LABEL', value: ({ label }) => label, shrinksTo: 8 },
      { title: 'KIND', value: ({ kind }) => kind, isExtra: true },
      { title: 'STATUS', value: ({ status }) => status },
      { title: 'ADDRESS', value: ({ url }) => url },
      { title: 'ID', value: ({ id }) => id, isExtra: true },
    ],
    'No places.',
  );
}
