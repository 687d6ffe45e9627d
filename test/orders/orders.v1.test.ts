import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { list, listIds, orderRequest, patch, takeIn, type OrderBody } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant, type Tenant } from '../harness/tenant.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/) as string;

const service = await useService();

const getOrder = (id: string, key: string) => ask<OrderBody>(`${service.url}/v1/orders/${id}`, { key });

describe('GET /v1/orders/{order_service_id}', () => {
  it('shows the whole order, its items as they came', async () => {
    const tenant = await createTenant(service);
    const items = [
      { z: 1, a: null, nested: { b: [1.5, -0.25, true, null], 'ключ "\\': '\u2028\u0007é' }, big: 9e15 },
      { external_id: 'x', name: 'Crème', quantity: 2, modifiers: [] },
    ];
    const made = await takeIn(service, tenant, {
      items,
      customer_comments: 'sin "cebolla"\n',
      created_at: '2026-03-01T13:00:00.123456+01:00',
    });
    expect(made.status).toBe(201);
    const { status, body } = await getOrder(made.body.id, tenant.key);
    const order = {
      created_at: '2026-03-01T12:00:00.123Z',
      id: ID,
      store: { created_at: TIME, id: tenant.storeId, name: { translations: { en: 'Centro' } } },
      customer: { name: 'Łukasz Nowak', phone: '+48 22 555 01 23' },
      status: 'PENDING',
      price: 390,
      tax: 39,
      items,
      ready_by: '2026-03-01T12:30:00.000Z',
      is_read: false,
      in_pos: false,
      customer_comments: 'sin "cebolla"\n',
    };
    expect(made.body).toEqual({
      ...order,
      number: 1,
      revision: 1,
      updated_at: expect.any(String) as string,
      due: 429,
    });
    expect([status, body]).toEqual([200, { ...order, result_code: '000000', result_message: 'Success' }]);
    expect(JSON.stringify(body['items'])).toBe(JSON.stringify(items));
  });

  it('takes in its items any number that a double holds, and no integer that would come back as another', async () => {
    const tenant = await createTenant(service);
    const send = (number: string) =>
      ask<{ detail: unknown }>(`${service.url}/manage/v1/stores/${tenant.storeId}/orders`, {
        ...{ method: 'POST', key: tenant.key },
        body: JSON.stringify(orderRequest({ items: [{ weight: 0 }] })).replace(
          '"weight":0',
          `"weight":${number}`,
        ),
      });
    const doubles = [
      '1e21',
      '123456789.123456789',
      '1.7976931348623157e308',
      '1e-400',
      '100.0000000000000001',
    ];
    for (const number of ['0.1', '1e-7', '9007199254740991', '-1.5e3', '9007199254740992', ...doubles]) {
      const { status, body } = await send(number);
      expect([number, status, body]).toMatchObject([number, 201, { items: [{ weight: Number(number) }] }]);
    }
    const msg = 'Value error, no double holds this number: send it as a string';
    const loc = ['body', 'items', 0, 'weight'];
    for (const number of ['9007199254740993', '-12345678901234567890', '1'.repeat(400), '1e400'])
      expect((await send(number)).body.detail).toMatchObject([{ loc, msg, type: 'value_error' }]);
  });

  it('reads a price as FastAPI does', async () => {
    const tenant = await createTenant(service);
    const send = (number: string) =>
      ask<{ detail: unknown; price: unknown }>(`${service.url}/manage/v1/stores/${tenant.storeId}/orders`, {
        ...{ method: 'POST', key: tenant.key },
        body: JSON.stringify(orderRequest({ price: 4321 })).replace('4321', number),
      });
    for (const number of ['100.0000000000000001', '1e2', '100.0'])
      expect(await send(number)).toMatchObject({ status: 201, body: { price: 100 } });
    const tooLarge = {
      type: 'less_than_equal',
      msg: 'Input should be less than or equal to 9007199254740991',
    };
    for (const number of ['9007199254740992', '9007199254740993', '1e400', '1'.repeat(400)])
      expect(await send(number)).toMatchObject({ status: 422, body: { detail: [tooLarge] } });
  });

  it('shows the store as it is now', async () => {
    const tenant = await createTenant(service);
    const { body } = await takeIn(service, tenant);
    const name = { translations: { es: 'Nuevo', en: 'New' } };
    await ask(`${service.url}/manage/v1/stores/${tenant.storeId}`, {
      method: 'PATCH',
      key: service.operatorKey,
      body: { name, external_id: 'till "1"' },
    });
    const store = { created_at: TIME, id: tenant.storeId, name, external_id: 'till "1"' };
    expect((await getOrder(body.id, tenant.key)).body['store']).toEqual(store);
    expect((await list(service, tenant)).body.order_result_list[0]?.['store']).toEqual(store);
  });

  it('is 404 alike for unknown, foreign and unlisted orders', async () => {
    const [mine, other] = [await createTenant(service), await createTenant(service)];
    const { body: order } = await takeIn(service, mine);
    const second = await createStore(service, mine.merchantId);
    const unlisted = await createKey(service, {
      merchant_id: mine.merchantId,
      store_ids: [second],
      permissions: ['read'],
    });
    const unknown = `${order.id.slice(0, 14)}7${order.id.slice(15)}`.replace(/^.{8}/, '00000000');
    const answers = await Promise.all([
      getOrder(order.id, other.key),
      getOrder(order.id, unlisted.key),
      ...[unknown, 'x', '%00', '%2F', '%ff', 'a'.repeat(300), order.id.toUpperCase()].map((id) =>
        getOrder(id, mine.key),
      ),
    ]);
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([404, { detail: 'Order not found' }]);
    }
    expect((await getOrder(order.id, service.operatorKey)).status).toBe(200);
  });
});

describe('GET /v1/stores/{store_service_id}/orders/', () => {
  it('answers the whole envelope, also when there is nothing', async () => {
    const tenant = await createTenant(service);
    const { status, body } = await list(service, tenant);
    expect([status, body]).toEqual([
      200,
      {
        page_index: 1,
        page_size: 20,
        count: 0,
        result_code: '000000',
        result_message: 'Success',
        order_result_list: [],
      },
    ]);
  });

  it('lists newest first, by id where the moment is the same, in pages', async () => {
    const tenant = await createTenant(service);
    const times = [
      '2026-01-02T00:00:00Z',
      '2026-01-01T00:00:00Z',
      '2026-01-02T00:00:00Z',
      '2026-01-03T00:00:00Z',
    ];
    const ids: string[] = [];
    for (const created_at of times) ids.push((await takeIn(service, tenant, { created_at })).body.id);
    const newestFirst = [ids[3], ids[2], ids[0], ids[1]];
    expect(await listIds(service, tenant)).toEqual(newestFirst);
    expect(await listIds(service, tenant, 'page_size=3&page_index=2')).toEqual([ids[1]]);
    const past = await list(service, tenant, 'page_size=100&page_index=9007199254740991');
    expect([past.status, past.body.count, past.body.order_result_list]).toEqual([200, 4, []]);
    expect(await listIds(service, tenant, 'page_size=1&page_size=2')).toEqual(newestFirst.slice(0, 2));
  });

  it.each([
    ['page_index=0', 'greater_than_equal', 'page_index'],
    ['page_index=-1', 'greater_than_equal', 'page_index'],
    ['page_index=a', 'int_parsing', 'page_index'],
    ['page_size=0', 'greater_than_equal', 'page_size'],
    ['page_size=101', 'less_than_equal', 'page_size'],
    ['page_size=1e1', 'int_parsing', 'page_size'],
    ['status=pending', 'enum', 'status'],
    ['status=', 'enum', 'status'],
    ['phone_number=', 'value_error', 'phone_number'],
    ['phone_number=abc', 'value_error', 'phone_number'],
    ['start_time=', 'datetime_from_date_parsing', 'start_time'],
    ['start_time=2026-02-30', 'datetime_from_date_parsing', 'start_time'],
    ['end_time=2026-12-31T23:59:60Z', 'datetime_from_date_parsing', 'end_time'],
    ['end_time=0000-01-01', 'datetime_from_date_parsing', 'end_time'],
    ['end_time=1700000000', 'datetime_from_date_parsing', 'end_time'],
    ['start_time=2026-01-02&end_time=2026-01-01', 'value_error', 'end_time'],
    ['start_time=2026-01-02T00:00:00.00012Z&end_time=2026-01-02T00:00:00.000115Z', 'value_error', 'end_time'],
    ['customer_name=%00', 'string_unicode', 'customer_name'],
  ])('refuses ?%s', async (query, type, name) => {
    const tenant = await createTenant(service);
    const { status, body } = await list(service, tenant, query);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ type, loc: ['query', name] }] });
  });

  it.each(['0', '99999999999999999999', '9'.repeat(100)])(
    'shows page_size=%s as it was sent',
    async (given) => {
      const { body } = await list(service, await createTenant(service), `page_size=${given}`);
      const type = given === '0' ? 'greater_than_equal' : 'less_than_equal';
      expect(body).toMatchObject({ detail: [{ type, input: given }] });
    },
  );

  it('is 404 for a store that is not the key’s', async () => {
    const [mine, other] = [await createTenant(service), await createTenant(service)];
    const { status, body } = await list(service, { ...mine, key: other.key });
    expect([status, body]).toEqual([404, { detail: 'Store not found' }]);
  });
});

describe('filters', () => {
  let tenant: Tenant;
  const ids = new Map<string, string>();
  const found = async (query: Record<string, string> | string) => {
    const names = new Map([...ids].map(([name, id]) => [id, name]));
    return (await listIds(service, tenant, query)).map((id) => names.get(id));
  };
  beforeAll(async () => {
    tenant = await createTenant(service);
    const names = ['Łukasz', 'ANA MARÍA', 'Straße', '100%_\\off', '李小龍', `${'long '.repeat(1999)}Zoë`];
    for (const [i, name] of names.entries()) {
      const customer = { name, phone: `+48 (22) 555-0${i}-23` };
      const created_at = `2026-05-01T10:00:00.00${i}Z`;
      ids.set(name, (await takeIn(service, tenant, { customer, created_at })).body.id);
    }
  });

  it.each([
    ['lukasz', ['Łukasz']],
    ['ŁUK', ['Łukasz']],
    ['maria', ['ANA MARÍA']],
    ['María', ['ANA MARÍA']],
    ['STRASSE', ['Straße']],
    ['%', ['100%_\\off']],
    ['_', ['100%_\\off']],
    ['\\', ['100%_\\off']],
    ['小', ['李小龍']],
    ['nobody', []],
    [' ana', []],
  ])('customer_name %j finds %j', async (name, expected) => {
    expect(await found({ customer_name: name })).toEqual(expected);
  });

  it('bytes that are no UTF-8 leave their neighbours what they are', async () => {
    expect(await found('phone_number=%35%35%35%ff%30%31')).toEqual(['ANA MARÍA']);
    expect(await found('customer_name=%ff%61')).toEqual([]);
    expect((await list(service, tenant, 'customer_name=%00%ff%61')).status).toBe(422);
  });

  it('customer_name may hold a bare %', async () => {
    expect(await found('customer_name=100%')).toEqual(['100%_\\off']);
  });

  it('finds the end of a name of 10,000 characters', async () => {
    expect(await found({ customer_name: 'ZOE' })).toHaveLength(1);
  });

  it('an empty customer_name narrows nothing', async () => {
    expect(await found({ customer_name: '' })).toHaveLength(6);
  });

  it('phone_number compares digits alone', async () => {
    expect(await found({ phone_number: '22-555-01' })).toEqual(['ANA MARÍA']);
    expect(await found('phone_number=+48+22')).toHaveLength(6);
    expect(await found({ phone_number: '999' })).toEqual([]);
  });

  it('start_time is inclusive, end_time exclusive, to the millisecond and finer', async () => {
    const at = '2026-05-01T10:00:00.00';
    expect(await found({ start_time: `${at}1Z`, end_time: `${at}3Z` })).toEqual(['Straße', 'ANA MARÍA']);
    expect(await found({ start_time: `${at}1000001Z`, end_time: `${at}2000001Z` })).toEqual(['Straße']);
    expect(await found({ start_time: `${at}1Z`, end_time: `${at}1Z` })).toEqual([]);
  });

  it('reads zones, naive times, bare dates, a space for T, and a plus that became a space', async () => {
    const early = 'end_time=2026-05-01T10:00:00.001Z';
    for (const start of [
      '2026-05-01T12:00:00%2B02:00',
      '2026-05-01T12:00:00+02:00',
      '2026-05-01T10:00:00',
      '2026-05-01 10:00:00',
      '2026-05-01',
      '2026-05-01T05:30:00-04:30',
    ]) {
      expect(await found(`start_time=${start}&${early}`), start).toEqual(['Łukasz']);
    }
  });

  it('combine with AND', async () => {
    const query = {
      customer_name: 'a',
      phone_number: '5550',
      status: 'PENDING',
      start_time: '2026-05-01T10:00:00.001Z',
    };
    expect(await found(query)).toEqual(['Straße', 'ANA MARÍA']);
    expect(await found({ ...query, status: 'READY' })).toEqual([]);
  });

  it('status follows every change', async () => {
    const own = await createTenant(service);
    const { body } = await takeIn(service, own);
    await patch(service, own.key, body.id, { status: 'ACCEPTED' });
    expect((await list(service, own, 'status=PENDING')).body.count).toBe(0);
    expect(await listIds(service, own, 'status=ACCEPTED')).toEqual([body.id]);
  });

  it('reach the first and the last year', async () => {
    const own = await createTenant(service);
    const first = await takeIn(service, own, { created_at: '0001-01-01T00:00:00Z' });
    const last = await takeIn(service, own, { created_at: '9999-12-31T23:59:59.999Z' });
    expect(first.body.created_at).toBe('0001-01-01T00:00:00.000Z');
    expect(await listIds(service, own)).toEqual([last.body.id, first.body.id]);
    expect(await listIds(service, own, 'start_time=0001-01-01&end_time=9999-12-31T23:59:59.999Z')).toEqual([
      first.body.id,
    ]);
  });
});
