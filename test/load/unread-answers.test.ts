import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { menuClient, numberedMenu } from '../harness/menu.js';
import { startService, type Service } from '../harness/service.js';
import { createTenant, type Tenant } from '../harness/tenant.js';

let service: Service;
let unruly: Tenant;
let quiet: Tenant;
beforeAll(async () => {
  service = await startService();
  [unruly, quiet] = [await createTenant(service), await createTenant(service)];
});
afterAll(() => service.stop());

/** More than a merchant may have unread. */
const CONNECTIONS = 140;
/** Its tree is more than the buffers of the system hold of an answer. */
const ITEMS = 5_000;
const INGREDIENTS = 'the same words over and over, '.repeat(60);

/** Asks again and again, and reads none of the answers. */
function readNothing(path: string, key: string): Socket {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => undefined).pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`.repeat(10));
  return socket;
}

it('answers that nobody takes are so many and no more; who asked for them waits, and nobody else', async () => {
  const menu = menuClient(service, unruly);
  const large = numberedMenu(1, ITEMS);
  const items = large.items.map((item) => ({ ...item, ingredients: INGREDIENTS }));
  expect((await menu.post({ ...large, items })).status).toBe(200);
  expect((await menu.tree()).status).toBe(200);
  const storeOf = ({ storeId, key }: Tenant) => ask(`${service.url}/v1/stores/${storeId}`, { key });

  const tree = `/v1/stores/${unruly.storeId}/menu_configuration/`;
  const sockets = Array.from({ length: CONNECTIONS }, () => readNothing(tree, unruly.key));
  /** Whether the merchant that reads nothing is answered soon. */
  const isServed = async () => {
    const own = storeOf(unruly).then(({ status }) => status === 200);
    waiting.push(own);
    return Promise.race([own, delay(500, false)]);
  };
  const waiting: Promise<boolean>[] = [];
  await expect.poll(isServed, { timeout: 20_000 }).toBe(false);
  expect((await storeOf(quiet)).status).toBe(200);

  for (const socket of sockets) socket.destroy();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
});
