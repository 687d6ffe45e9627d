import { writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Bench, Figure, Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { compareRates } from '../measure/compare.js';
import { requestBytes } from '../measure/load.js';
import { startReference, type Server } from '../servers/programs.js';
import { publishMenu, treePath, type Setting } from '../servers/service.js';

const CONNECTIONS = 64;
const ROUNDS = 9;
const SAME_HEADERS = ['content-type', 'content-encoding', 'etag', 'vary', 'cache-control'];

export const tree: Part = {
  name: 'tree',
  title: 'GET menu tree',
  notes: `A menu of 250 items: 1.5 MB as a tree, 0.14 MB as gzip. Reference: \`bench/references/bare-http.ts\`, a bare \`node:http\`
server that sends the same bytes with the same headers. Before every read, the service asks the database whether the key and
the menu are still current, once for all waiting requests.`,
  run: async (bench) => {
    const setting = await bench.shared();
    const path = treePath(await publishMenu(setting, menuJson(MENUS[250])));
    const figures: Figure[] = [];
    for (const form of ['identity', 'gzip', '304'])
      figures.push(await measureForm(bench, setting, path, form));
    return figures;
  },
};

async function measureForm(bench: Bench, setting: Setting, path: string, form: string): Promise<Figure> {
  const { service, tenant } = setting;
  const plain = { 'x-api-key': tenant.key, 'accept-encoding': form === 'identity' ? form : 'gzip' };
  const { headers: first } = await readTree(service.port, path, plain);
  const headers = form === '304' ? { ...plain, 'if-none-match': first['etag'] ?? '' } : plain;
  return compareSent(bench, service, {
    name: `${form}, ${CONNECTIONS} connections`,
    path,
    headers,
    connections: CONNECTIONS,
  });
}

interface Sent {
  readonly name: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly connections: number;
}

/** The service against a bare server that sends what the service sends. */
export async function compareSent(bench: Bench, service: Server, sent: Sent): Promise<Figure> {
  const { name, path, headers, connections } = sent;
  const { status = 0, headers: same, body } = await readTree(service.port, path, headers);
  const file = join(bench.folder, `sent-${name.replaceAll(/\W+/g, '-')}`);
  await writeFile(file, body);
  const settings = { status, headers: same, ...(status === 200 ? { file } : {}) };
  const reference = await startReference('bare-http', settings);
  const requests = [requestBytes({ path, headers })];
  const figure = await compareRates(bench, {
    name,
    service: { server: service, requests },
    reference: { server: reference, requests },
    connections,
    expectStatus: status,
    rounds: ROUNDS,
  });
  await reference.stop();
  return figure;
}

/** The body as it was sent, compressed or not, and the headers that the reference sends as well. */
async function readTree(port: number, path: string, headers: Record<string, string>) {
  const request = get(`http://127.0.0.1:${port}${path}`, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const entries = Object.entries(response.headers).filter(([name]) => SAME_HEADERS.includes(name));
  const same = Object.fromEntries(entries) as Record<string, string>;
  return { status: response.statusCode, headers: same, body: await buffer(response) };
}
