import '../console/speak-english.js';
import { describe, expect, it } from 'vitest';
import { ask, type Answer } from '../harness/client.js';
import { png } from '../harness/images.js';
import { chain, menuClient } from '../harness/menu.js';
import { orderRequest } from '../harness/orders.js';
import { startService, useService } from '../harness/service.js';
import { createMerchant, createStore } from '../harness/tenant.js';
import { backup } from '../harness/backup.js';

const { isTold, memberWord } = await import('../../console/src/pages/fleet/audit-words.js');

const service = await useService();
const merchant_id = await createMerchant(service);
const store_id = await createStore(service, merchant_id, { currency: 'EUR' });
const other = await createStore(service, merchant_id, { currency: 'EUR' });
const menu = menuClient(service, { storeId: store_id, key: service.operatorKey });
await menu.post(chain());
await menuClient(service, { storeId: other, key: service.operatorKey }).post(chain({ price: 1 }));
const guest = { customer: { name: 'Łukasz Nowak', phone: '+48 22 555 01 23' } };

interface Entry {
  readonly id: string;
  readonly type: string;
  readonly via: string;
  readonly key_id?: string;
  readonly merchant_id?: string;
  readonly store_id?: string;
  readonly subject: string;
  readonly before?: object;
  readonly after?: object;
  readonly request_id?: string;
}

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  ask<{ id: string; [more: string]: unknown }>(service.url + path, {
    method,
    key: service.operatorKey,
    body,
    headers,
  });
const manage = (method: string, path: string, body?: unknown) => send(method, `/manage/v1/${path}`, body);
const ofStore = (method: string, path: string, body?: unknown) =>
  manage(method, `stores/${store_id}${path}`, body);
const putPhoto = () =>
  send('PUT', `/manage/v1/stores/${store_id}/menu/items/i/photo`, png(4, 3), { 'content-type': 'image/png' });
const made = async (path: string, body: object) => (await manage('POST', path, body)).body.id;
const inOneDay = () => new Date(Date.now() + 86_400_000).toISOString();

const newKey = () => made('keys', { merchant_id, permissions: ['read'], label: 'Till' });
const newWebhook = () => made('webhooks', { merchant_id, url: `http://127.0.0.1:9/hooks?token=hook-secret` });
const KITCHEN_PRINTER = { label: 'Kitchen', protocol: 'cloudprnt' };
const newPrinter = () => made(`stores/${store_id}/printers`, KITCHEN_PRINTER);
const newPlace = () => made(`stores/${store_id}/places`, { label: 'Table', kind: 'table' });
const newOrder = async (more = {}) =>
  (await ofStore('POST', '/orders', orderRequest({ ...guest, ...more }))).body.id;
const scheduled = () =>
  made('menu/publications', { from: { store_id }, store_ids: [other], at: inOneDay(), keep: [] });

/** A request for each operation that changes something, the type of its entry, and what the entry says. */
const CHANGES: Record<string, [type: string, run: () => Promise<Answer>]> = {
  create_merchant: ['merchant.created', () => manage('POST', 'merchants', { brand_name: 'Other' })],
  change_merchant: [
    'merchant.changed',
    () => manage('PATCH', `merchants/${merchant_id}`, { brand_name: 'Renamed' }),
  ],
  delete_merchant: [
    'merchant.deleted',
    async () => manage('DELETE', `merchants/${await createMerchant(service)}`),
  ],
  create_store: [
    'store.created',
    () => manage('POST', 'stores', { merchant_id, name: { translations: {} } }),
  ],
  change_store: ['store.changed', () => ofStore('PATCH', '', { timezone: 'Europe/Madrid' })],
  delete_store: [
    'store.deleted',
    async () => manage('DELETE', `stores/${await createStore(service, merchant_id)}`),
  ],
  issue_key: ['key.issued', () => manage('POST', 'keys', { merchant_id, permissions: ['read'] })],
  change_key: ['key.changed', async () => manage('PATCH', `keys/${await newKey()}`, { label: 'Till 2' })],
  rotate_key: ['key.rotated', async () => manage('POST', `keys/${await newKey()}/rotate`)],
  revoke_key: ['key.revoked', async () => manage('DELETE', `keys/${await newKey()}`)],
  make_sign_in_link: [
    'key.sign_in_link_made',
    async () => manage('POST', `keys/${await newKey()}/sign_in_link`),
  ],
  change_intake: [
    'intake.changed',
    () => ofStore('PATCH', '/intake', { pause: { note: 'Fire' }, busy: { extra_minutes: 5 } }),
  ],
  change_intake_settings: [
    'intake.changed',
    () => ofStore('PATCH', '/intake/settings', { prep_minutes: 25 }),
  ],
  change_menu: [
    'menu.published',
    () => ofStore('PATCH', '/menu', { changes: [{ kind: 'item', external_id: 'i', set: { price: 777 } }] }),
  ],
  restore_menu_version: ['menu.published', () => ofStore('POST', '/menu/versions/1/restore')],
  create_menu_publication: [
    'menu.published',
    () => manage('POST', 'menu/publications', { from: { store_id }, store_ids: [other], keep: [] }),
  ],
  cancel_menu_publication: [
    'publication.cancelled',
    async () => manage('DELETE', `menu/publications/${await scheduled()}`),
  ],
  mark_item: ['stock.marked', () => ofStore('PATCH', '/menu/items/i', { in_stock: false })],
  mark_items: [
    'stock.marked',
    () => ofStore('PATCH', '/menu/items', { items: [{ external_id: 'i', in_stock: true }] }),
  ],
  mark_modifier_item: ['stock.marked', () => ofStore('PATCH', '/menu/modifier_items/o', { in_stock: false })],
  put_photo: ['photo.set', () => putPhoto()],
  delete_photo: [
    'photo.removed',
    async () => {
      await putPhoto();
      return ofStore('DELETE', '/menu/items/i/photo');
    },
  ],
  create_place: ['place.created', () => ofStore('POST', '/places', { label: 'Table 7', kind: 'table' })],
  change_place: [
    'place.changed',
    async () => ofStore('PATCH', `/places/${await newPlace()}`, { label: 'Table 8' }),
  ],
  rotate_place: ['place.rotated', async () => ofStore('POST', `/places/${await newPlace()}/rotate`)],
  delete_place: ['place.deleted', async () => ofStore('DELETE', `/places/${await newPlace()}`)],
  create_printer: ['printer.created', () => ofStore('POST', '/printers', KITCHEN_PRINTER)],
  change_printer: [
    'printer.changed',
    async () => ofStore('PATCH', `/printers/${await newPrinter()}`, { label: 'Bar' }),
  ],
  rotate_printer: ['printer.rotated', async () => ofStore('POST', `/printers/${await newPrinter()}/rotate`)],
  delete_printer: ['printer.deleted', async () => ofStore('DELETE', `/printers/${await newPrinter()}`)],
  settle_bill: [
    'bill.settled',
    async () => {
      const place = await newPlace();
      const order = await newOrder();
      await service.db.query({
        name: 'test_seat',
        text: `UPDATE orders SET place_id = $2, place_label = 'Table', place_kind = 'table' WHERE id = $1`,
        values: [order, place],
      });
      return ofStore('POST', `/places/${place}/bill/settle`, { method: 'card', expected_due: 429 });
    },
  ],
  add_payment: [
    'payment.recorded',
    async () =>
      manage('POST', `orders/${await newOrder()}/payments`, {
        method: 'card',
        amount: 429,
        reference: 'auth-of-the-guest',
      }),
  ],
  create_webhook: [
    'webhook.created',
    () => manage('POST', 'webhooks', { merchant_id, url: `http://127.0.0.1:9/hooks?token=hook-secret` }),
  ],
  change_webhook: [
    'webhook.changed',
    async () => manage('PATCH', `webhooks/${await newWebhook()}`, { types: ['order.created'] }),
  ],
  remove_webhook: ['webhook.removed', async () => manage('DELETE', `webhooks/${await newWebhook()}`)],
  rotate_webhook_secret: [
    'webhook.secret_rotated',
    async () => manage('POST', `webhooks/${await newWebhook()}/rotate`),
  ],
  replay_webhook: [
    'webhook.replayed',
    async () => manage('POST', `webhooks/${await newWebhook()}/replay`, { store_id, after: 'now' }),
  ],
  erase_customers: [
    'customers.erased',
    async () => (await newOrder(), manage('POST', 'customers/erase', { phone: guest.customer.phone })),
  ],
  export_customer: [
    'customer.exported',
    () => manage('GET', `customers/export?phone=${encodeURIComponent(guest.customer.phone)}`),
  ],
  export_orders: ['orders.exported', () => ofStore('GET', '/orders/export')],
  backup: ['backup.taken', () => manage('GET', 'backup')],
  archive_merchant: ['merchant.archived', () => manage('GET', `merchants/${merchant_id}/archive`)],
  restore_merchant: [
    'merchant.restored',
    async () => restoreElsewhere('merchants/restore', await archiveOf(merchant_id)),
  ],
  change_merchant_move: [
    'merchant.move_changed',
    async () => manage('PATCH', `merchants/${await createMerchant(service)}/move`, { state: 'refusing' }),
  ],
  give_up_merchant_move: [
    'merchant.move_given_up',
    async () => {
      await restoreElsewhere('merchants/restore?position=1:1', await archiveOf(merchant_id));
      const { url = '', operatorKey: key } = elsewhere ?? {};
      return ask(`${url}/manage/v1/merchants/${merchant_id}/move`, { method: 'DELETE', key });
    },
  ],
  restore: ['backup.restored', async () => restoreElsewhere('restore', await backup(service))],
};

/** Operations that write nothing, or whose log is another one. */
const NOT_AUDITED: Record<string, string> = {
  take_in_order: 'orders have events and history',
  import_orders: 'orders have events and history',
  change_order: 'orders have events and history',
  apply_merchant_changes: 'the steps of a move are in the log of both places',
  check_menu: 'changes nothing',
  quote_order: 'changes nothing',
  test_webhook: 'changes nothing; deliveries list it',
  test_printer: 'changes nothing',
  print_order: 'changes nothing',
  send_parked_event: 'a delivery, which deliveries list',
};

const archiveOf = async (id: string) =>
  (await manage('GET', `merchants/${id}/archive`)).body as unknown as string;

/** The installation that the last request went to. */
let elsewhere: typeof service | undefined;

async function restoreElsewhere(path: string, archive: string): Promise<Answer> {
  elsewhere = await startService();
  return ask(`${elsewhere.url}/manage/v1/${path}`, {
    method: 'POST',
    key: elsewhere.operatorKey,
    body: archive,
    headers: { 'content-type': 'application/x-ndjson' },
  });
}

async function entriesOf(answer: Answer, { url, operatorKey } = service): Promise<Entry[]> {
  const { body } = await ask<{ entries: Entry[] }>(`${url}/manage/v1/audit?limit=1000`, { key: operatorKey });
  return body.entries.filter(({ request_id: id }) => id === answer.headers.get('x-request-id'));
}

describe('every operation of the manage side that writes', async () => {
  const { body } = await ask<{ paths: Record<string, Record<string, { operationId: string }>> }>(
    `${service.url}/manage/openapi.json`,
  );
  const writing = Object.values(body.paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
  );

  it.each(writing)('%s leaves one entry, or has a reason not to', (operationId) => {
    expect(Object.keys({ ...CHANGES, ...NOT_AUDITED })).toContain(operationId);
    expect(Number(operationId in CHANGES) + Number(operationId in NOT_AUDITED)).toBe(1);
  });

  it.each(Object.entries(CHANGES))('%s leaves exactly one entry', async (_, [type, run]) => {
    const answer = await run();
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    const entries = await entriesOf(answer, elsewhere ?? service);
    await elsewhere?.stop();
    elsewhere = undefined;
    expect(entries).toEqual([
      expect.objectContaining({
        type,
        via: 'api',
        key_id: 'operator',
        subject: expect.any(String) as string,
      }),
    ]);
  });

  it('is told in words in the console, down to what differs', async () => {
    const rows = await service.db.query<{ name: string }>({
      name: 'test_audit_names',
      text: `SELECT DISTINCT json_object_keys(part) AS name FROM audit_entries e, LATERAL (VALUES (e.before::json), (e.after::json)) AS p (part)
             WHERE json_typeof(part) = 'object'`,
    });
    const names = rows.map(({ name }) => name);
    expect(names).toContain('brand_name');
    expect(names.filter((name) => isTold(name) && memberWord(name) === name)).toEqual([]);
  });

  it('keeps no secret and nothing of a guest', async () => {
    const key = await ask<{ key: string }>(`${service.url}/manage/v1/keys`, {
      method: 'POST',
      key: service.operatorKey,
      body: { merchant_id, permissions: ['read'] },
    });
    const rows = await service.db.query<{ row: string }>({
      name: 'test_audit_dump',
      text: 'SELECT to_json(e)::text AS row FROM audit_entries e',
    });
    const places = await service.db.query<{ code: string }>({
      name: 'test_codes',
      text: 'SELECT code FROM places',
    });
    const dump = rows.map(({ row }) => row).join('\n');
    expect(rows.length).toBeGreaterThan(30);
    expect(places.length).toBeGreaterThan(0);
    const { name, phone } = guest.customer;
    const secrets = [key.body.key, 'hook-secret', name, 'Nowak', phone, '5550123', 'auth-of-the-guest'];
    for (const secret of [...secrets, ...places.map(({ code }) => code)]) expect(dump).not.toContain(secret);
  });
});
