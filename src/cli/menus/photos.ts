import { ApiError, ComandaError } from '#sdk';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { createPhotoMatch } from '../../menu-files/match-photos.js';
import { STORE_ID } from '../lib/arguments.js';
import { command, type CommandContext, type CommandRow } from '../lib/command.js';
import { readValue } from '../lib/documents.js';
import { CommandFailed, EXIT, UsageError } from '../lib/errors.js';
import { writeLine } from '../lib/terminal.js';
import { counted, toPlain } from '../lib/text.js';

const ENDINGS: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
};
/** Such as burger.small.webp, beside burger.webp. */
const SMALL = /\.small(?=\.\w+$)/i;
const LONGEST_NAME = 200;
const PATIENCE_MS = 30_000;
/** What the service says against one file; the next one may be right. */
const REFUSED = [404, 409, 413, 422];

const FOLDER = ['<folder>', 'folder with pictures named after items: burger.jpg, burger.small.jpg'] as const;

export const PHOTO_ROWS: readonly CommandRow[] = [
  command('menu photos push', 'set the photos of items from a folder, as the files are', {
    takes: [STORE_ID, FOLDER],
    run: async (context, { store, folder }) => {
      const { client, out } = context;
      const { items = [] } = await client.getMenuConfigurationFlat(store);
      const find = createPhotoMatch(items);
      const files = (await readdir(folder, { withFileTypes: true }))
        .map((entry) => ({ entry, name: entry.name, isSmall: SMALL.test(entry.name) }))
        // The large one first, which takes the small one away.
        .sort((one, other) => Number(one.isSmall) - Number(other.isSmall));
      const failed = await attemptEach(context, files, async ({ entry, name, isSmall }) => {
        const id = find(name.replace(SMALL, ''));
        // A link may lead out of the folder, so it is not followed.
        const type = entry.isFile() ? ENDINGS[extname(name).toLowerCase()] : undefined;
        if (type === undefined) throw new Error('not a JPEG, PNG or WebP file');
        if (id === undefined) throw new Error('no item has this external_id or name');
        const bytes = await readFile(join(folder, name));
        const query = { size: isSmall ? 'small' : 'large' } as const;
        await client.putPhoto(store, id, bytes, query, { headers: { 'content-type': type } });
      });
      out.note(`Set ${counted(files.length - failed, 'photo')}.`);
      if (failed > 0) throw new CommandFailed(EXIT.failed, `${counted(failed, 'file')} left out.`);
    },
  }),
  command('menu photos pull', 'download the photos of a store into a folder', {
    takes: [STORE_ID, ['<folder>', 'made if it is not there']],
    run: async (context, { store, folder }) => {
      const { client, out } = context;
      const load = async (url: string, path: string) =>
        save(path, url, (await client.request({ path: url, answer: 'bytes' })) as Loaded);
      const { photos } = await client.listPhotos(store);
      const wanted = photos.map(({ external_id: name, url, small }) => ({ name, url, small }));
      await mkdir(folder, { recursive: true });
      const failed = await attemptEach(context, wanted, async ({ name, url, small }) => {
        const path = join(folder, fileNameOf(name));
        await load(url, path);
        if (small !== undefined) await load(small.url, `${path}.small`);
      });
      out.note(`Wrote ${counted(wanted.length - failed, 'photo')} to ${folder}.`);
      if (failed > 0) throw new CommandFailed(EXIT.failed, `${counted(failed, 'photo')} left out.`);
    },
  }),
  command('menu photos fetch', 'download the pictures that `menu convert` found in another system', {
    takes: [
      ['<file>', 'the file that `menu convert` wrote, such as menu.photos.json'],
      ['<folder>', 'made if it is not there'],
    ],
    flags: [['--header <text>', 'sent with every request, such as "X-Access-Token: …" for HubRise']],
    run: async (context, { file, folder, header }) => {
      const { out, terminal } = context;
      const { value } = await readValue(terminal, file);
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new CommandFailed(
          EXIT.refused,
          `${file} must hold an object of external ids and addresses, such as {"burger": "https://…"}.`,
        );
      const colon = header?.indexOf(':') ?? -1;
      if (header !== undefined && colon < 1)
        throw new UsageError('--header takes a name and a value, such as "X-Access-Token: abc".');
      const headers =
        header === undefined ? {} : { [header.slice(0, colon)]: header.slice(colon + 1).trim() };
      const wanted = Object.entries(value).map(([name, address]) => ({ name, address: String(address) }));
      await mkdir(folder, { recursive: true });
      const failed = await attemptEach(context, wanted, ({ name, address }) =>
        fetchPicture(address, join(folder, fileNameOf(name)), headers),
      );
      out.note(`Wrote ${counted(wanted.length - failed, 'picture')} to ${folder}.`);
      if (failed > 0)
        throw new CommandFailed(EXIT.failed, `${counted(failed, 'picture')} could not be loaded.`);
    },
  }),
];

/** Says of each that fails why, goes on with the others, and returns how many failed. */
async function attemptEach<T extends { readonly name: string }>(
  { terminal }: CommandContext,
  list: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<number> {
  let failed = 0;
  for (const one of list) {
    try {
      await work(one);
    } catch (error) {
      const isOfThisOne = error instanceof ApiError && REFUSED.includes(error.status);
      if (error instanceof ComandaError && !isOfThisOne) throw error;
      failed += 1;
      writeLine(terminal.stderr, toPlain(`${one.name}: ${(error as Error).message}`));
    }
  }
  return failed;
}

/** An external_id as the name of a file; what could lead out of the folder, or hide in it, is refused. */
function fileNameOf(externalId: string): string {
  const name = encodeURIComponent(externalId);
  if (name === '' || name.startsWith('.') || name.length > LONGEST_NAME)
    throw new Error('this external_id cannot be the name of a file');
  return name;
}

async function fetchPicture(address: string, path: string, headers: Record<string, string>): Promise<void> {
  if (!/^https?:\/\//.test(address)) throw new Error(`${address} is not an address that can be loaded`);
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  if (response.ok) return save(path, address, response);
  await response.body?.cancel();
  throw new Error(`${address} answers ${response.status}`);
}

type Loaded = Pick<Response, 'headers' | 'body'>;

/** Its type decides the ending of the file. */
async function save(path: string, address: string, { headers, body }: Loaded): Promise<void> {
  const type = headers.get('content-type')?.split(';')[0] ?? 'none';
  const bytes = Buffer.from(await new Response(body).arrayBuffer());
  const ending = Object.keys(ENDINGS).find((one) => ENDINGS[one] === type);
  if (ending === undefined) throw new Error(`${address} has the type ${type}`);
  await writeFile(`${path}${ending}`, bytes);
}
