import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { openForGuests, type PlaceBody } from '../harness/guest.js';
import { useService } from '../harness/service.js';
import { createKey } from '../harness/tenant.js';

const service = await useService();

it('adds, lists, renames, disables, rotates and removes places', async () => {
  const { manage, place } = await openForGuests(service);
  const made = await manage<PlaceBody>('POST', '/places', {
    label: 'Pick-up',
    kind: 'pickup',
    external_id: 'P1',
  });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    id: made.body.id,
    label: 'Pick-up',
    kind: 'pickup',
    external_id: 'P1',
    code: made.body.code,
    url: `${service.url}/order/${made.body.code}`,
    status: 'active',
    created_at: made.body.created_at,
  });
  const again = await manage('POST', '/places', { label: 'Other', kind: 'pickup', external_id: 'P1' });
  expect([again.status, again.body]).toEqual([
    409,
    { detail: 'A place with this external_id already exists' },
  ]);
  expect((await manage('GET', '/places')).body).toEqual([
    { ...place, due: 0 },
    { ...made.body, due: 0 },
  ]);
  expect((await manage('GET', '/places?skip=1&limit=1')).body).toEqual([{ ...made.body, due: 0 }]);
  const changed = await manage<PlaceBody>('PATCH', `/places/${made.body.id}`, {
    label: 'Counter',
    status: 'disabled',
  });
  expect(changed.body).toEqual({ ...made.body, label: 'Counter', status: 'disabled' });
  expect((await manage('DELETE', `/places/${made.body.id}`)).status).toBe(204);
  expect((await manage('DELETE', `/places/${made.body.id}`)).status).toBe(404);
  expect((await manage('GET', '/places')).body).toEqual([{ ...place, due: 0 }]);
});

it('gives out one place for a repeated request', async () => {
  const { key, storeId } = await openForGuests(service);
  const send = () =>
    ask<PlaceBody>(`${service.url}/manage/v1/stores/${storeId}/places`, {
      method: 'POST',
      key,
      body: { label: 'Table 8', kind: 'table' },
      headers: { 'idempotency-key': 'table 8' },
    });
  expect((await send()).body.id).toBe((await send()).body.id);
});

it('takes the permission store:write, and read to list them', async () => {
  const { merchantId, storeId, place } = await openForGuests(service);
  const { key } = await createKey(service, {
    merchant_id: merchantId,
    permissions: ['read', 'orders:write'],
  });
  const url = `${service.url}/manage/v1/stores/${storeId}/places`;
  expect((await ask(url, { key })).status).toBe(200);
  for (const [method, path] of [
    ['POST', url],
    ['PATCH', `${url}/${place.id}`],
    ['DELETE', `${url}/${place.id}`],
    ['POST', `${url}/${place.id}/rotate`],
  ] as const) {
    const { status } = await ask(path, { method, key, body: method === 'DELETE' ? undefined : {} });
    expect([method, status]).toEqual([method, 403]);
  }
});

it('keeps places through a backup, and ends them with their store', async () => {
  const { place, storeId } = await openForGuests(service);
  const operator = { key: service.operatorKey };
  const backup = await ask<string>(`${service.url}/manage/v1/backup`, operator);
  expect(backup.body).toContain(place.code);
  await ask(`${service.url}/manage/v1/stores/${storeId}?force=true`, { method: 'DELETE', ...operator });
  expect((await ask(`${service.url}/guest/v1/places/${place.code}`)).status).toBe(404);
  const after = await ask<string>(`${service.url}/manage/v1/backup`, operator);
  expect(after.body).not.toContain(place.code);
});

it('has at most a thousand places a store', async () => {
  const { manage, storeId } = await openForGuests(service);
  await service.db.query({
    name: 'test-places',
    text: `INSERT INTO places (store_key, id, label, kind, code, code_hash, token_seed, status, created_at)
           SELECT s.store_key, gen_random_uuid(), 'T', 'table', n::text, sha256((s.id::text || n)::bytea), '', 'active', now()
           FROM stores s, generate_series(1, 999) n WHERE s.id = $1`,
    values: [storeId],
  });
  const { status, body } = await manage('POST', '/places', { label: 'One more', kind: 'table' });
  expect([status, body]).toEqual([409, { detail: 'A store has at most 1000 places' }]);
});
