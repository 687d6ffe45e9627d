import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BACKUP_TABLES } from '../../src/upkeep/backup.sql.js';
import { takeCellNumbers } from '../../src/postgres/cell-numbers.js';
import { ensureOperatorKey } from '../../src/tenants/operator-keys.js';
import { backup, restore, rewrite } from '../harness/backup.js';
import { ask } from '../harness/client.js';
import { chain, item, itemsOf, menuClient } from '../harness/menu.js';
import { importLines, list, orderRequest, patch, takeIn } from '../harness/orders.js';
import { startService, type Service } from '../harness/service.js';
import { asService, startProcessOn } from '../harness/service-process.js';
import { createKey, createMerchant, createStore, createTenant, type Tenant } from '../harness/tenant.js';

let source: Service;
let tenant: Tenant;
let restricted: { id: string; key: string };
let archive: string;
const targets: Service[] = [];

beforeAll(async () => {
  source = await startService();
  tenant = await createTenant(source);
  await createStore(source, await createMerchant(source, 'Zweite “Küche”\n'), {
    contacts: { mail: 'a@b.example', deep: [1, { x: null }], text: 'line\nend \\ "q" \u2028' },
    timezone: 'Asia/Tokyo',
  });
  restricted = await createKey(source, {
    merchant_id: tenant.merchantId,
    store_ids: [tenant.storeId],
    permissions: ['read'],
    expires_at: '2090-01-01',
  });
  const gone = await createKey(source, { merchant_id: tenant.merchantId, permissions: ['read'] });
  await ask(`${source.url}/manage/v1/keys/${gone.id}`, { method: 'DELETE', key: source.operatorKey });
  await fillMenu();
  await fillOrders();
  archive = await backup(source);
});
afterEach(async () => {
  await Promise.all(targets.splice(0).map((target) => target.stop()));
});
afterAll(() => source.stop());

async function fillMenu(): Promise<void> {
  const menu = menuClient(source, tenant);
  await menu.post(chain());
  await menu.post({ ...chain(), items: [...chain().items, item('Ünïcode / \\ "x"', { in_stock: false })] });
  await menu.post(chain({ price: 321 }));
  const mark = { in_stock: false, prep_type: 'grill' };
  await menu.manage('items/i', { method: 'PATCH', body: mark });
}

async function fillOrders(): Promise<void> {
  const lines = Array.from({ length: 2_300 }, (_, i) =>
    JSON.stringify({
      store_id: tenant.storeId,
      ...orderRequest({
        external_id: `x${i}`,
        created_at: new Date(Date.UTC(2025, 11, 1) + i * 1_200_000).toISOString(),
        customer: { name: i % 10 === 0 ? 'Łucja 王小明' : `Ana ${i}`, phone: `+48 ${5_550_000 + i}` },
        customer_comments: 'tab\there "x" \\ \n',
        status: i % 3 === 0 ? 'FULFILLED' : 'PENDING',
      }),
    }),
  );
  await importLines(source, tenant.key, lines.join('\n'));
  await takeIn(source, tenant, { customer: { name: 'n'.repeat(5_000), phone: '1' } });
  const { body } = await takeIn(source, tenant, { price: 1 }, { 'idempotency-key': 'first' });
  await patch(source, tenant.key, body.id, { status: 'ACCEPTED', is_read: true });
}

async function startTarget(): Promise<Service> {
  const target = await startService();
  targets.push(target);
  return target;
}

const merchantsOf = async (service: Service) =>
  (await ask<unknown[]>(`${service.url}/v1/merchants/`, { key: service.operatorKey })).body;

const schemaOf = (text: string) => Number(/"schema":(\d+)/.exec(text)?.[1]);

describe('an archive', () => {
  it('begins with what it is, has the tables in order and ends with its counts and sum', () => {
    const lines = archive.trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      format: 'comanda-backup',
      number: 1,
      schema: schemaOf(archive),
      version: expect.any(String) as string,
    });
    const sections = lines.filter((line) => line.startsWith('{"table":'));
    const tables = sections.map((line) => (JSON.parse(line) as { table: string }).table);
    expect(tables).toEqual(BACKUP_TABLES.map(({ name }) => name));
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      end: {
        rows: {
          merchants: 2,
          stores: 2,
          api_keys: 3,
          menu_entities: 6,
          menu_versions: 3,
          menu_marks: 1,
          orders: 2_302,
          order_history: 2,
          order_intake_keys: 1,
        },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    });
    expect(rewrite(archive, (same) => same)).toBe(archive);
  });

  it('goes into an empty installation and comes out byte for byte', async () => {
    const target = await startTarget();
    const { status, body } = await restore(target, archive);
    expect([status, body.rows['orders'], body.rows['api_keys']]).toEqual([200, 2_302, 3]);
    expect((await backup(target)) === archive).toBe(true);
  });

  it('stays with its cell: an installation of another refuses it with a sentence', async () => {
    const target = await startTarget();
    await takeCellNumbers(target.db, 7);
    const { status, body } = await restore(target, archive);
    expect([status, body.detail]).toEqual([
      409,
      'The archive is of cell 0, and this installation is cell 7. Restore it into a new installation that was first started ' +
        'with COMANDA_CELL=0.',
    ]);
    await createTenant(target);
    const second = await startTarget();
    await takeCellNumbers(second.db, 7);
    expect((await restore(second, await backup(target))).status).toBe(200);
    expect((await restore(await startTarget(), await backup(target))).status).toBe(409);
  });

  it('brings keys, menus, ids, tags, marks and versions', async () => {
    const target = await startTarget();
    await restore(target, archive);
    for (const key of [tenant.key, restricted.key]) {
      const [there, here] = [target, source].map(({ url }) =>
        ask(`${url}/v1/stores/${tenant.storeId}`, { key }),
      );
      expect(await there).toMatchObject({ status: 200, body: (await here)?.body });
    }
    const [before, after] = [menuClient(source, tenant), menuClient(target, tenant)];
    const tree = await after.tree();
    expect(tree.body).toEqual((await before.tree()).body);
    expect(tree.headers.get('etag')).toBe((await before.tree()).headers.get('etag'));
    expect((await after.flat()).body).toEqual((await before.flat()).body);
    expect((await after.manage('versions')).body).toEqual((await before.manage('versions')).body);
    const refused = await ask(`${target.url}/manage/v1/stores/${tenant.storeId}/orders`, {
      method: 'POST',
      key: restricted.key,
      body: {},
    });
    expect(refused.status).toBe(403);
  });

  it('brings orders with their counts, searches, history and Idempotency-Keys', async () => {
    const target = await startTarget();
    await restore(target, archive);
    for (const query of [
      'page_size=100',
      'page_size=50&page_index=46',
      'status=FULFILLED',
      'customer_name=lucja',
      'customer_name=王小',
      'customer_name=nnnn',
      'phone_number=5551234',
      'start_time=2025-12-03T10:10:00Z&end_time=2026-01-02&status=PENDING',
    ]) {
      const [there, here] = [await list(target, tenant, query), await list(source, tenant, query)];
      expect([query, there.body]).toEqual([query, here.body]);
      expect(there.body.count).toBeGreaterThan(0);
    }
    const repeated = await takeIn(target, tenant, { price: 1 }, { 'idempotency-key': 'first' });
    expect([repeated.status, repeated.body.status]).toEqual([201, 'ACCEPTED']);
    const history = `manage/v1/orders/${repeated.body.id}/history`;
    const [there, here] = [target, source].map(({ url }) => ask(`${url}/${history}`, { key: tenant.key }));
    expect((await there)?.body).toEqual((await here)?.body);
    for (const table of ['order_search', 'order_counts'])
      expect(await derived(target, table)).toEqual(await derived(source, table));
  });

  it('leaves an installation that goes on: new stores, entities and orders meet nothing old', async () => {
    const target = await startTarget();
    await restore(target, archive);
    const added = { ...tenant, storeId: await createStore(target, tenant.merchantId) };
    const old = itemsOf(await menuClient(target, tenant).tree()).map(({ id }) => id);
    const fresh = itemsOf(await menuClient(target, added).post(chain())).map(({ id }) => id);
    expect(Math.min(...fresh)).toBeGreaterThan(Math.max(...old));
    expect((await takeIn(target, added)).status).toBe(201);
    expect((await takeIn(target, tenant)).status).toBe(201);
    expect((await list(target, tenant)).body.count).toBe(2_303);
    expect((await list(target, added)).body.count).toBe(1);
  });

  it('leaves each installation its own operator keys', async () => {
    const [first, target] = [await startTarget(), await startTarget()];
    const [theirs, own] = [await ensureOperatorKey(first.db), await ensureOperatorKey(target.db)];
    await restore(first, archive);
    expect(await backup(first)).toBe(archive);
    expect((await restore(target, archive, {}, own)).status).toBe(200);
    const statuses = [own, theirs].map((key) => ask(`${target.url}/manage/v1/keys`, { key }));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 401]);
    expect(await backup(target)).toBe(archive);
  });

  it('may be compressed on its way in and out', async () => {
    const target = await startTarget();
    const packed = gzipSync(archive);
    expect((await restore(target, packed, { 'content-encoding': 'gzip' })).status).toBe(200);
    const plain = await fetch(`${target.url}/manage/v1/backup`, {
      headers: { 'x-api-key': target.operatorKey, 'accept-encoding': 'identity' },
    });
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, archive]);
    const coded = await fetch(`${target.url}/manage/v1/backup`, {
      headers: { 'x-api-key': target.operatorKey, 'accept-encoding': 'gzip' },
    });
    expect([coded.headers.get('content-encoding'), await coded.text()]).toEqual(['gzip', archive]);
  });

  it('of an older schema is taken as far as its tables go', async () => {
    const target = await startTarget();
    const older = rewrite(archive, (lines) => {
      const at = (table: string) => lines.findIndex((line) => line.startsWith(`{"table":"${table}"`));
      return [(lines[0] ?? '').replace(/"schema":\d+/, '"schema":12'), ...lines.slice(1, at('places'))];
    });
    const { status, body } = await restore(target, older);
    expect([status, Object.keys(body.rows)]).toEqual([
      200,
      ['merchants', 'stores', 'api_keys', 'menu_entities', 'menu_states', 'menu_versions', 'menu_marks'],
    ]);
    expect((await menuClient(target, tenant).tree()).body).toEqual(
      (await menuClient(source, tenant).tree()).body,
    );
  });

  it('of an empty installation is one too', async () => {
    const [one, two] = [await startTarget(), await startTarget()];
    const empty = await backup(one);
    expect((await restore(two, empty)).status).toBe(200);
    expect(await backup(two)).toBe(empty);
  });
});

describe('a restore', () => {
  const inFirst = (table: string, change: (row: string) => string) => (whole: string) =>
    rewrite(whole, (lines) => {
      const at = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`)) + 1;
      return lines.with(at, change(lines[at] ?? ''));
    });
  const inHeader = (from: string, to: string) => (whole: string) =>
    rewrite(whole, ([first = '', ...rest]) => [first.replace(from, to), ...rest]);

  it('refuses an archive that is cut off, damaged or of another kind, and changes nothing', async () => {
    const target = await startTarget();
    const small = rewrite(archive, (lines) => lines.filter((line) => !/"external_id":"x\d\d+"/.test(line)));
    const damaged: [string, (whole: string) => string, RegExp][] = [
      ['nothing', () => '', /incomplete/],
      ['another document', () => '{"hello":1}\n', /not a Comanda backup/],
      ['no JSON', () => 'PK\x03\x04', /not a Comanda backup/],
      ['another number', inHeader('"number":1', '"number":2'), /format 2/],
      ['a newer schema', inHeader('"schema":', '"schema":9'), /schema 9\d.*supports only \d+;/],
      ['cut after a line', (whole) => whole.slice(0, whole.indexOf('{"end":')), /incomplete/],
      ['cut in a line', (whole) => whole.slice(0, whole.length / 2), /damaged|incomplete/],
      ['cut in the last line', (whole) => whole.slice(0, -20), /closing line/],
      ['a changed letter', (whole) => whole.replace('Ana 4', 'Ana 5'), /do not match its checksum/],
      ['a lost row', (whole) => whole.replace(/\n\{"store_key"[^\n]*/, ''), /do not match its checksum/],
      ['more after the end', (whole) => `${whole}{}\n`, /after its end/],
      [
        'a row of another type',
        inFirst('orders', (row) => row.replace('"price":390', '"price":"x"')),
        /a row of orders/,
      ],
      [
        'a row without its merchant',
        inFirst('stores', (row) => row.replace(/"merchant_id":"./, '"merchant_id":"f')),
        /a row of stores/,
      ],
      ['a row that is no JSON', inFirst('orders', (row) => row.slice(0, -1)), /a row of orders/],
      [
        'a strange table',
        (whole) => rewrite(whole, (lines) => [...lines, '{"table":"pg_authid","columns":[]}']),
        /pg_authid.*out of place/,
      ],
      [
        'a table twice',
        (whole) => rewrite(whole, (lines) => [...lines, '{"table":"orders","columns":["id"]}']),
        /out of place/,
      ],
      [
        'a strange column',
        (whole) =>
          rewrite(whole, (lines) =>
            lines.map((line) => line.replace('"columns":["id",', '"columns":["id","ID; DROP",')),
          ),
        /column "ID; DROP"/,
      ],
      [
        'a missing column',
        (whole) => rewrite(whole, (lines) => lines.map((line) => line.replace('"brand_name",', ''))),
        /needs the column brand_name/,
      ],
    ];
    for (const [name, change, reason] of damaged) {
      const { status, body } = await restore(target, change(small));
      const detail = body.detail as readonly { msg: string }[];
      expect([name, status, detail[0]?.msg]).toEqual([name, 422, expect.stringMatching(reason)]);
      expect(await merchantsOf(target)).toEqual([]);
    }
    const broken = gzipSync(small).subarray(0, -9);
    expect((await restore(target, broken, { 'content-encoding': 'gzip' })).status).toBe(422);
    expect((await restore(target, small)).status).toBe(200);
    expect(await backup(target)).toBe(small);
  });

  it('refuses an installation that has a merchant, whose data stay as they are', async () => {
    const target = await startTarget();
    const merchantId = await createMerchant(target);
    const before = await backup(target);
    const { status, body } = await restore(target, archive);
    expect([status, body.detail]).toEqual([409, expect.stringContaining('already has merchants')]);
    expect(await backup(target)).toBe(before);
    expect(before).toContain(merchantId);
  });

  it('lets only one of two through', async () => {
    const target = await startTarget();
    const both = await Promise.all([restore(target, archive), restore(target, archive)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await backup(target)).toBe(archive);
  });

  it('that breaks off in the middle leaves nothing behind', async () => {
    const target = await startTarget();
    const sent = request(`${target.url}/manage/v1/restore`, {
      method: 'POST',
      headers: { 'x-api-key': target.operatorKey, 'content-type': 'application/x-ndjson' },
    });
    sent.on('error', () => undefined);
    sent.write(archive.slice(0, -1000));
    await until(async () => (await transactions(target)) === 1);
    sent.destroy();
    await until(async () => (await transactions(target)) === 0);
    expect(await merchantsOf(target)).toEqual([]);
    // The service may not have heard yet that the sender is gone.
    await until(async () => (await restore(target, archive)).status === 200);
  });

  it('and a backup are refused by a process that a newer version has overtaken, whose tables it does not know', async () => {
    const overtaken = await startService();
    targets.push(overtaken);
    const [known] = await overtaken.db.query<{ number: number }>({
      name: 'overtake',
      text: `INSERT INTO schema_migrations (number, name, applied_at)
             SELECT max(m.number) + 1, 'newer', clock_timestamp() FROM schema_migrations m RETURNING number - 1 AS number`,
    });
    const detail = `A newer version has migrated the database to schema ${Number(known?.number) + 1}, but this process supports only ${known?.number}. Ask a process of that version.`;
    const written = await ask(`${overtaken.url}/manage/v1/backup`, { key: overtaken.operatorKey });
    expect([written.status, written.body]).toEqual([409, { detail }]);
    const restored = await restore(overtaken, archive);
    expect([restored.status, restored.body]).toEqual([409, { detail }]);
  });

  it('and a backup are the operator’s alone', async () => {
    expect((await restore(source, archive, {}, tenant.key)).status).toBe(403);
    expect((await ask(`${source.url}/manage/v1/backup`, { key: tenant.key })).status).toBe(403);
    const json = { 'content-type': 'application/json' };
    expect((await restore(source, archive, json)).status).toBe(415);
  });
});

describe('a backup whose reader falls silent', () => {
  // More than the buffers of both ends of a connection hold while one of them does not read.
  const LINES = 3_000;
  const BYTES = LINES * 10_000;
  let service: Service;
  beforeAll(async () => {
    service = await startService({ importIdleSeconds: 3_600 });
    const { key, storeId } = await createTenant(service);
    const line = JSON.stringify({
      store_id: storeId,
      ...orderRequest({ customer_comments: 'x'.repeat(9_999) }),
    });
    await importLines(service, key, `${line}\n`.repeat(LINES));
  });
  afterAll(() => service.stop());

  /** Reads the beginning of a backup and no more. */
  async function beginBackup(from: Service): Promise<Socket> {
    const socket = connect(Number(new URL(from.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(`GET /manage/v1/backup HTTP/1.1\r\nhost: x\r\nx-api-key: ${from.operatorKey}\r\n\r\n`);
    const [beginning] = (await once(socket, 'data')) as [Buffer];
    expect(beginning.toString()).toMatch(/^HTTP\/1\.1 200/);
    return socket.pause();
  }

  it('takes one of two turns until the reader has gone', async () => {
    const sockets = [await beginBackup(service), await beginBackup(service)];
    const third = await ask(`${service.url}/manage/v1/backup`, { key: service.operatorKey });
    expect([third.status, third.body]).toEqual([429, { detail: 'Too Many Requests' }]);
    expect(third.headers.get('retry-after')).toBe('10');
    for (const socket of sockets) socket.destroy();
    await until(async () => (await transactions(service)) === 0);
    expect((await backup(service)).length).toBeGreaterThan(BYTES);
  });

  it('takes none while only heads are asked for', async () => {
    const url = `${service.url}/manage/v1/backup`;
    for (let asked = 0; asked < 3; asked += 1)
      expect((await ask(url, { method: 'HEAD', key: service.operatorKey })).status).toBe(200);
    expect((await backup(service)).length).toBeGreaterThan(BYTES);
    await until(async () => (await transactions(service)) === 0);
  });

  it('leaves a line in the log when it breaks off', async () => {
    const logging = await startProcessOn(service.connection, { LOG_LEVEL: 'error' });
    const socket = await beginBackup(asService(logging));
    await service.db.query({
      name: 'break_backup',
      text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
    });
    socket.on('error', () => undefined).resume();
    await new Promise((resolve) => socket.once('close', resolve));
    await expect.poll(logging.output).toContain('A response failed midway');
    expect(logging.output()).toContain('/manage/v1/backup');
  });

  it('is given up after a while, and its connection freed', async () => {
    const hasty = await service.replica({ importIdleSeconds: 1 });
    onTestFinished(() => hasty.stop());
    const socket = await beginBackup(hasty);
    await until(async () => (await transactions(service)) === 0);
    let bytes = 0;
    socket.on('error', () => undefined);
    socket.on('data', (piece: Buffer) => (bytes += piece.length)).resume();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(bytes).toBeLessThan(BYTES);
  });
});

async function derived(service: Service, table: string): Promise<unknown> {
  const selected =
    table === 'order_search'
      ? 'SELECT * FROM order_search'
      : `SELECT store_key, level, bucket, sum(pending) AS pending, sum(accepted) AS accepted, sum(fulfilled) AS fulfilled
         FROM order_counts GROUP BY store_key, level, bucket`;
  return service.db.query({
    name: `derived_${table}`,
    text: `SELECT count(*)::integer AS rows, md5(string_agg(r::text, ',' ORDER BY r::text)) AS sum FROM (${selected}) r`,
  });
}

/** How many transactions are open on the database of the service but for the one that asks. */
async function transactions(service: Service): Promise<number> {
  const [row] = await service.db.query<{ open: number }>({
    name: 'open_transactions',
    text: `SELECT count(*)::integer AS open FROM pg_stat_activity
           WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
             AND backend_type = 'client backend'`,
  });
  return row?.open ?? 0;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('It did not come about within 60 s');
    await delay(20);
  }
}
