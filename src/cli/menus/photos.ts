import { ApiError, type Client } from '#sdk';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { createPhotoMatch } from '../../menu-files/match-photos.js';
import { STORE_ID } from '../lib/arguments.js';
import { command, type CommandContext, type CommandRow } from '../lib/command.js';
import { parseDocument, readDocument } from '../lib/documents.js';
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
    run: pushFolder,
  }),
  command('menu photos pull', 'download the photos of a store into a folder', {
    takes: [STORE_ID, ['<folder>', 'made if it is not there']],
    run: async ({ client, out, terminal }, { store, folder }) => {
      const { photos } = await client.listPhotos(store);
      await mkdir(folder, { recursive: true });
      let failed = 0;
      for (const { external_id: id, url, small } of photos) {
        try {
          const name = fileNameOf(id);
          await savePicture(await loadOwn(client, url), folder, name);
          if (small !== undefined)
            await savePicture(await loadOwn(client, small.url), folder, `${name}.small`);
        } catch (error) {
          if (!(error instanceof CommandFailed)) throw error;
          failed += 1;
          writeLine(terminal.stderr, toPlain(`${id}: ${error.message}`));
        }
      }
      out.note(`Wrote ${counted(photos.length - failed, 'photo')} to ${folder}.`);
      if (failed > 0) throw new CommandFailed(EXIT.failed, `${counted(failed, 'photo')} left out.`);
    },
  }),
  command('menu photos fetch', 'download the pictures that `menu convert` found in another system', {
    takes: [
      ['<file>', 'the file that `menu convert` wrote, such as menu.photos.json'],
      ['<folder>', 'made if it is not there'],
    ],
    flags: [['--header <text>', 'sent with every request, such as "X-Access-Token: …" for HubRise']],
    run: fetchPictures,
  }),
];

async function pushFolder(
  { client, out, terminal }: CommandContext,
  { store: storeId, folder }: { readonly store: string; readonly folder: string },
): Promise<void> {
  const { items = [] } = await client.getMenuConfigurationFlat(storeId);
  const find = createPhotoMatch(items);
  const wanted = (await readdir(folder, { withFileTypes: true }))
    .map((entry) => ({
      name: entry.name,
      isSmall: SMALL.test(entry.name),
      // A link may lead out of the folder, so it is not followed.
      type: entry.isFile() ? ENDINGS[extname(entry.name).toLowerCase()] : undefined,
    }))
    // The large one first, which takes the small one away.
    .sort((one, other) => Number(one.isSmall) - Number(other.isSmall));
  const problems: string[] = [];
  let sent = 0;
  for (const { name, isSmall, type } of wanted) {
    const id = find(name.replace(SMALL, ''));
    if (type === undefined) problems.push(`${name}: not a JPEG, PNG or WebP file`);
    else if (id === undefined) problems.push(`${name}: no item has this external_id or name`);
    else {
      const bytes = await readFile(join(folder, name));
      const query = { size: isSmall ? 'small' : 'large' } as const;
      try {
        await client.putPhoto(storeId, id, bytes, query, { headers: { 'content-type': type } });
        sent += 1;
      } catch (error) {
        if (!(error instanceof ApiError && REFUSED.includes(error.status))) throw error;
        problems.push(`${name}: ${error.message}`);
      }
    }
  }
  for (const problem of problems) writeLine(terminal.stderr, toPlain(problem));
  out.note(`Set ${counted(sent, 'photo')}.`);
  if (problems.length > 0)
    throw new CommandFailed(EXIT.failed, `${counted(problems.length, 'file')} left out.`);
}

async function fetchPictures(
  { terminal, out }: CommandContext,
  {
    file,
    folder,
    header,
  }: { readonly file: string; readonly folder: string; readonly header?: string | undefined },
): Promise<void> {
  const value = parseDocument(terminal, await readDocument(terminal, file));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CommandFailed(
      EXIT.refused,
      `${file} must hold an object of external ids and addresses, such as {"burger": "https://…"}.`,
    );
  const addresses = Object.entries(value as Readonly<Record<string, unknown>>);
  const colon = header?.indexOf(':') ?? -1;
  if (header !== undefined && colon < 1)
    throw new UsageError('--header takes a name and a value, such as "X-Access-Token: abc".');
  const headers = header === undefined ? {} : { [header.slice(0, colon)]: header.slice(colon + 1).trim() };
  await mkdir(folder, { recursive: true });
  let failed = 0;
  for (const [id, address] of addresses) {
    try {
      const name = fileNameOf(id);
      await savePicture(await load(String(address), headers), folder, name);
    } catch (error) {
      failed += 1;
      writeLine(terminal.stderr, toPlain(`${id}: ${(error as Error).message}`));
    }
  }
  out.note(`Wrote ${counted(addresses.length - failed, 'picture')} to ${folder}.`);
  if (failed > 0) throw new CommandFailed(EXIT.failed, `${counted(failed, 'picture')} could not be loaded.`);
}

/** An external_id as the name of a file; what could lead out of the folder, or hide in it, is refused. */
function fileNameOf(externalId: string): string {
  const name = encodeURIComponent(externalId);
  if (name === '' || name.startsWith('.') || name.length > LONGEST_NAME)
    throw new CommandFailed(EXIT.refused, 'this external_id cannot be the name of a file');
  return name;
}

interface Picture {
  readonly ending: string;
  readonly bytes: Uint8Array;
}

async function load(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Picture> {
  if (!/^https?:\/\//.test(address)) throw new Error(`${address} is not an address that can be loaded`);
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  if (response.ok && response.body !== null) return readPicture(address, response.headers, response.body);
  await response.body?.cancel();
  throw new Error(`${address} answers ${response.status}`);
}

async function loadOwn(client: Client, path: string): Promise<Picture> {
  const { headers, body } = await client.request({ path, answer: 'bytes' });
  return readPicture(path, headers, body as ReadableStream<Uint8Array>);
}

async function readPicture(
  address: string,
  headers: Headers,
  body: ReadableStream<Uint8Array>,
): Promise<Picture> {
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const ending = Object.entries(ENDINGS).find(([, one]) => one === type)?.[0];
  if (ending !== undefined) return { ending, bytes: Buffer.from(await new Response(body).arrayBuffer()) };
  await body.cancel();
  throw new Error(`${address} has the type ${type === '' ? 'none' : type}`);
}

async function savePicture({ ending, bytes }: Picture, folder: string, name: string): Promise<void> {
  await writeFile(join(folder, `${name}${ending}`), bytes);
}
