import { expect, it, onTestFinished, vi } from 'vitest';
import { ask } from '../harness/client.js';
import { chain, holdMenu, menuClient } from '../harness/menu.js';
import { useService } from '../harness/service.js';
import { createStore, createTenant } from '../harness/tenant.js';
import { comanda } from './command-line.js';

const service = await useService();

async function open() {
  const tenant = await createTenant(service);
  const more = { timezone: 'Europe/Madrid' };
  const norte = await createStore(service, tenant.merchantId, { external_id: 'norte', ...more });
  const sur = await createStore(service, tenant.merchantId, { external_id: 'sur', ...more });
  await menuClient(service, tenant).post(chain({ price: 500 }));
  await menuClient(service, { storeId: sur, key: tenant.key }).post(chain({ price: 700, tax: 1 }));
  const environment = { COMANDA_URL: service.url, COMANDA_KEY: tenant.key };
  const menu = (...words: string[]) => comanda(['menu', ...words], { environment });
  return { ...tenant, norte, sur, menu, environment };
}

it('copies the menu of a store to others, after showing what changes', async () => {
  const { storeId, sur, key, menu } = await open();
  const words = ['copy', storeId, '--to', 'norte', 'sur', '--keep', 'price'];
  const asked = await menu(...words);
  expect([asked.code, asked.out, asked.err]).toEqual([
    2,
    'norte\tpublished\t5 added, 0 removed, 0 changed\t\t\nsur\tpublished\t0 added, 0 removed, 1 changed\t\t\n',
    'Error: Publish this now? There is no terminal to ask in. Add --yes to proceed.\n',
  ]);
  const done = await menu(...words, '--yes');
  expect([done.code, done.out]).toEqual([
    0,
    `${asked.out}norte\tpublished\t5 added, 0 removed, 0 changed\t1\t\nsur\tpublished\t0 added, 0 removed, 1 changed\t2\t\n`,
  ]);
  const { body } = await menuClient(service, { storeId: sur, key }).manage('versions/2');
  expect(body).toEqual(chain({ price: 700 }));
  expect((await menu(...words)).out).toMatch(/Nothing to change\.\n$/);
});

it('copies the version that it showed, also if another is published before the answer', async () => {
  const { storeId, norte, key, environment } = await open();
  async function* publishThenAgree() {
    await menuClient(service, { storeId, key }).post(chain({ price: 900 }));
    yield Buffer.from('y\n');
  }
  const asked = { environment, canAsk: true, stdin: publishThenAgree() };
  const done = await comanda(['menu', 'copy', storeId, '--to', 'norte'], asked);
  expect([done.code, done.err]).toEqual([0, 'Publish this now? [y/N] ']);
  const { body } = await menuClient(service, { storeId: norte, key }).manage('versions/1');
  expect(body).toEqual(chain({ price: 500 }));
});

it('copies it later, on the clock of the store, and lists, shows and cancels that', async () => {
  const { storeId, key, menu } = await open();
  const year = new Date().getUTCFullYear() + 1;
  const at = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
  const bad = await menu('copy', storeId, '--to', 'sur', '--at', 'soon', '--yes');
  expect([bad.code, bad.err]).toEqual([2, expect.stringContaining('Invalid time: soon')]);
  const made = await menu(
    'copy',
    storeId,
    '--to',
    'sur',
    '--at',
    `${at} 12:00`,
    '--label',
    `In ${year}`,
    '--yes',
  );
  const id = /Scheduled as (\S+)\.\n$/.exec(made.out)?.[1] ?? '';
  const { body } = await ask<{ at: string }>(`${service.url}/manage/v1/menu/publications/${id}`, { key });
  expect(['11:00', '10:00']).toContain(body.at.slice(11, 16));
  expect((await menu('publications', 'list', '--status', 'scheduled')).out).toBe(
    `${id}\tscheduled\t${body.at}\t1\tIn ${year}\n`,
  );
  expect((await menu('publications', 'show', id)).out).toBe('sur\tscheduled\t\t\t\n');
  expect((await menu('publications', 'cancel', id)).out).toBe('Cancelled.\n');
  expect((await menu('publications', 'cancel', id)).code).toBe(7);
});

it('schedules it also where the store has that menu now', async () => {
  const { storeId, sur, key, menu } = await open();
  await menuClient(service, { storeId: sur, key }).post(chain({ price: 500 }));
  const words = ['copy', storeId, '--to', 'sur', '--yes'];
  expect((await menu(...words)).out).toMatch(/^sur\tunchanged\t.*\nNothing to change\.\n$/);
  const at = new Date(Date.now() + 86_400_000).toISOString();
  expect((await menu(...words, '--at', at)).out).toMatch(/^sur\tunchanged\t.*\nScheduled as \S+\.\n$/);
});

/** The menu of a store is held; the first request to publish there is answered with 503 while it is under way. */
async function breakFirstResponse(storeId: string, key: string, { endsEarly }: { endsEarly: boolean }) {
  const release = await holdMenu(service, storeId);
  const send = globalThis.fetch;
  const running = `${service.url}/manage/v1/menu/publications?status=running`;
  let first: Promise<Response> | undefined;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (!address.endsWith('/menu/publications')) return send(address, init);
    if (first !== undefined) {
      const replay = await send(address, init);
      if (endsEarly) await release();
      return replay;
    }
    first = send(address, init);
    await vi.waitUntil(async () => (await ask<unknown[]>(running, { key })).body.length > 0, 10_000);
    return new Response('{}', { status: 503, headers: { 'retry-after': '0' } });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return async () => {
    await release();
    await first;
  };
}

it('waits for a publication that is under way', async () => {
  const { storeId, norte, key, menu } = await open();
  await breakFirstResponse(norte, key, { endsEarly: true });
  const { code, out, err } = await menu('copy', storeId, '--to', 'norte', '--yes');
  expect([code, out.split('\n').at(-2), err]).toEqual([
    0,
    'norte\tpublished\t5 added, 0 removed, 0 changed\t1\t',
    '',
  ]);
});

it('says of a publication that takes long that it is still under way', async () => {
  const { storeId, norte, key, menu } = await open();
  const finish = await breakFirstResponse(norte, key, { endsEarly: false });
  const { code, out, err } = await menu('copy', storeId, '--to', 'norte', '--yes');
  expect([code, out.split('\n').at(-2)]).toEqual([0, 'norte\trunning\t\t\t']);
  const [, id = ''] = /^Still under way\..* show (\S+)\n$/.exec(err) ?? [];
  await finish();
  expect((await menu('publications', 'show', id)).out).toMatch(/^norte\tpublished\t.*\t1\t\n$/);
});
