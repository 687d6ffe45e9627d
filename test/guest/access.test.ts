import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { newCode } from '../../src/access/code.js';
import { ask } from '../harness/client.js';
import { guestClient, openForGuests, TWO_COFFEES, type PlaceBody } from '../harness/guest.js';
import { useService } from '../harness/service.js';

const service = await useService();
const guest = guestClient(service);

/** The whole answer but for its date and id. */
async function bytesOf(method: string, path: string): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const answer = await readAll(socket);
  return answer.replace(/^(date|x-request-id): .*\r\n/gim, '');
}

type Document = { paths: Record<string, Record<string, object>>; security?: unknown };
const { body: document } = await ask<Document>(`${service.url}/guest/openapi.json`);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
);

describe('every operation of a guest', () => {
  it('is in a document of its own, which asks for no key', () => {
    expect(operations).toHaveLength(7);
    expect(document).toMatchObject({ security: [] });
    expect(JSON.stringify(document)).not.toContain('x-api-key');
  });

  it('answers every kind of wrong code with the same bytes, also to HEAD', async () => {
    const rotated = await openForGuests(service);
    await rotated.manage('POST', `/places/${rotated.place.id}/rotate`);
    const disabled = await openForGuests(service);
    await disabled.manage('PATCH', `/places/${disabled.place.id}`, { status: 'disabled' });
    const removed = await openForGuests(service);
    await removed.manage('DELETE', `/places/${removed.place.id}`);
    const off = await openForGuests(service);
    await off.manage('PATCH', '', { guest: { enabled: false } });
    const never = await openForGuests(service);
    await never.manage('PATCH', '', { guest: null });
    const codes = [rotated, disabled, removed, off, never].map(({ place }) => place.code);
    const strange = [newCode(), 'x', '%00', '%ff', 'a%2Fb', 'x'.repeat(300), rotated.place.id];
    for (const { method, path } of operations.filter(({ path }) => path.includes('{code}'))) {
      const answers = new Set<string>();
      for (const code of [...codes, ...strange])
        answers.add(await bytesOf(method, path.replace('{code}', code)));
      expect([...answers]).toEqual([expect.stringContaining('\r\n\r\n{"detail":"Place not found"}')]);
      expect([...answers][0]).toMatch(/^HTTP\/1\.1 404 /);
      if (method === 'GET')
        expect(await bytesOf('HEAD', path.replace('{code}', rotated.place.code))).toBe(
          await bytesOf('HEAD', path.replace('{code}', newCode())),
        );
    }
  });

  it('answers every kind of wrong token with the same bytes, and no token is good for another order', async () => {
    const { place, storeId, key } = await openForGuests(service);
    const { body } = await guest.order(place.code);
    const other = await guest.order(place.code);
    const { body: list } = await ask<{ orders: { id: string }[] }>(
      `${service.url}/manage/v1/stores/${storeId}/orders`,
      { key },
    );
    const bytes = Buffer.from(body.token, 'base64url');
    const [first, second] = list.orders.map(({ id }) => Buffer.from(id.replaceAll('-', ''), 'hex'));
    const mixed = Buffer.concat([second ?? bytes, bytes.subarray(16)]).toString('base64url');
    const zeros = Buffer.concat([first ?? bytes, Buffer.alloc(16)]).toString('base64url');
    expect(mixed).toHaveLength(43);
    expect(other.body.token).not.toBe(mixed);
    const wrong = [mixed, zeros, 'x'.repeat(43), 'x', place.code, '%00', list.orders[0]?.id ?? ''];
    for (const { method, path } of operations.filter(({ path }) => path.includes('{token}'))) {
      const answers = new Set<string>();
      for (const token of wrong) answers.add(await bytesOf(method, path.replace('{token}', token)));
      expect([...answers]).toEqual([expect.stringContaining('{"detail":"Order not found"}')]);
    }
  });

  it('answers HEAD as GET, 405 with Allow, and 307 to the right slash', async () => {
    const { place } = await openForGuests(service);
    const { body } = await guest.order(place.code);
    for (const { method, path } of operations) {
      const url = service.url + path.replace('{code}', place.code).replace('{token}', body.token);
      const put = await ask(url, { method: 'PUT' });
      expect([path, put.status, put.headers.get('allow')?.split(', ')]).toEqual([
        path,
        405,
        expect.arrayContaining([method]),
      ]);
      expect((await ask(`${url}/`, { method })).status).toBe(307);
      if (method !== 'GET') continue;
      const head = await ask(url, { method: 'HEAD' });
      expect([path, head.status, head.body]).toEqual([path, 200, '']);
    }
  });

  it('sets no cookie and takes no notice of a key', async () => {
    const { place, key } = await openForGuests(service);
    const answer = await ask(`${service.url}/guest/v1/places/${place.code}`, { key });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
  });
});

it('keeps a code from reaching anything but its place', async () => {
  const [one, other] = [await openForGuests(service), await openForGuests(service)];
  await guest.order(one.place.code);
  await guest.order(other.place.code);
  for (const { storeId, key, place } of [one, other]) {
    const { body } = await ask<{ orders: { place: object }[] }>(
      `${service.url}/manage/v1/stores/${storeId}/orders`,
      { key },
    );
    expect(body.orders.map((order) => order.place)).toEqual([
      { id: place.id, label: place.label, kind: place.kind },
    ]);
  }
  const theirs = `${service.url}/manage/v1/stores/${other.storeId}/places`;
  for (const [method, path] of [
    ['GET', theirs],
    ['POST', theirs],
    ['PATCH', `${theirs}/${other.place.id}`],
    ['DELETE', `${theirs}/${other.place.id}`],
    ['POST', `${theirs}/${other.place.id}/rotate`],
  ] as const) {
    const answer = await ask(path, {
      method,
      key: one.key,
      body: method === 'POST' || method === 'PATCH' ? { label: 'x', kind: 'table' } : undefined,
    });
    expect([method, answer.status, answer.body]).toEqual([method, 404, { detail: 'Store not found' }]);
  }
  const mine = await one.manage('PATCH', `/places/${other.place.id}`, { label: 'x' });
  expect([mine.status, mine.body]).toEqual([404, { detail: 'Place not found' }]);
});

it('lets the token outlive the place, and not lead to it', async () => {
  const { place, manage } = await openForGuests(service);
  const { body } = await guest.order(place.code);
  const { body: rotated } = await manage<PlaceBody>('POST', `/places/${place.id}/rotate`);
  expect(rotated).toEqual({ ...place, code: rotated.code, url: `${service.url}/order/${rotated.code}` });
  expect(rotated.code).toMatch(/^[a-z2-7]{26}$/);
  expect((await guest.order(place.code)).status).toBe(404);
  await manage('DELETE', `/places/${place.id}`);
  const seen = await guest.get(`/orders/${body.token}`);
  expect([seen.status, seen.body]).toEqual([200, body]);
  // What the next guest at the table is shown says nothing of the orders before.
  const next = await manage<PlaceBody>('POST', '/places', { label: 'Table 7', kind: 'table' });
  expect(JSON.stringify((await guest.get(`/places/${next.body.code}`)).body)).not.toContain('Ana');
});

it.each([
  [{ items: [] }, ['body', 'items'], 'too_short'],
  [{ items: Array.from({ length: 51 }, () => TWO_COFFEES.items[0]) }, ['body', 'items'], 'too_long'],
  [
    { items: [{ external_id: 'coffee', quantity: 100 }] },
    ['body', 'items', 0, 'quantity'],
    'less_than_equal',
  ],
  [
    { items: [{ external_id: 'coffee', quantity: 1, comments: 'x'.repeat(501) }] },
    ['body', 'items', 0, 'comments'],
    'string_too_long',
  ],
  [{ customer_comments: 'x'.repeat(501) }, ['body', 'customer_comments'], 'string_too_long'],
  [{ expected_total: undefined }, ['body', 'expected_total'], 'missing'],
])('refuses %o', async (more, loc, type) => {
  const { place } = await openForGuests(service);
  const { status, body } = await guest.order(place.code, more);
  expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc, type })]]);
});

it('refuses a body of more than 64 KiB, and an order without an Idempotency-Key', async () => {
  const { place } = await openForGuests(service);
  const large = await guest.order(place.code, { filler: 'x'.repeat(65_536) });
  expect([large.status, large.body.detail]).toEqual([413, 'The body is larger than 65536 bytes']);
  const keyless = await guest.post<{ detail: unknown }>(`/places/${place.code}/orders`, TWO_COFFEES);
  expect([keyless.status, keyless.body.detail]).toEqual([
    422,
    [{ loc: ['header', 'Idempotency-Key'], msg: 'Field required', type: 'missing' }],
  ]);
});

it('asks for a name and a phone as the store wants', async () => {
  const { place, manage, storeId, key } = await openForGuests(service, {
    name: 'required',
    phone: 'required',
  });
  const { status, body } = await guest.order(place.code, { customer: { name: ' ' } });
  expect([status, body.detail]).toEqual([
    422,
    [
      { loc: ['body', 'customer', 'name'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'customer', 'phone'], msg: 'Field required', type: 'missing' },
    ],
  ]);
  await manage('PATCH', '', { guest: { name: 'none', phone: 'none' } });
  await guest.order(place.code, { customer: { name: 'Ana', phone: '123' } });
  const list = await ask<{ orders: { customer: object }[] }>(
    `${service.url}/manage/v1/stores/${storeId}/orders`,
    { key },
  );
  expect(list.body.orders.map(({ customer }) => customer)).toEqual([{ name: '', phone: '' }]);
});
