import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { loadDemo, readDemoState, type DemoCounts } from '../../src/demo/load-demo.js';
import { exampleIds } from '../../src/support/example-ids.js';
import { ask } from '../harness/client.js';
import { startService, type Service } from '../harness/service.js';
import { createKey } from '../harness/tenant.js';

const { limits } = loadConfig({});
const LOADED_AT = Date.now();
let service: Service;
let loaded: DemoCounts;
let key: string;
beforeAll(async () => {
  service = await startService();
  expect(await readDemoState(service.db)).toBe('absent');
  loaded = await loadDemo(service.db, limits, LOADED_AT);
  const permissions = ['read', 'menu:write', 'stock:write', 'orders:write', 'webhooks:write'];
  ({ key } = await createKey(service, { merchant_id: exampleIds.merchant, permissions, label: 'demo' }));
});
afterAll(() => service.stop());

const read = <T>(path: string) => ask<T>(service.url + path, { key });
const countOrders = async () => {
  const stores = (await read<{ id: string }[]>('/v1/stores/')).body;
  const pages = stores.map(({ id }) => read<{ count: number }>(`/v1/stores/${id}/orders/?page_size=1`));
  return (await Promise.all(pages)).reduce((sum, { body }) => sum + body.count, 0);
};

interface Tree {
  readonly menu_configuration: {
    readonly external_id: string;
    readonly categories: { readonly items: { readonly external_id: string; readonly in_stock: boolean }[] }[];
  }[];
}

describe('the demo restaurant, through the interface', () => {
  it('is one merchant with three stores, one to try things in, and all its orders', async () => {
    expect((await read<unknown[]>('/v1/merchants/')).body).toMatchObject([
      { id: exampleIds.merchant, brand_name: 'Casa Comanda' },
    ]);
    expect((await read<{ country: string }[]>('/v1/stores/')).body.map(({ country }) => country)).toEqual([
      'ES',
      'JP',
      'AE',
      'ES',
    ]);
    expect(await countOrders()).toBe(loaded.orders);
    expect(await readDemoState(service.db)).toBe('complete');
  });

  it('has one store with a capacity and a special day that is still to come', async () => {
    const { body } = await read<{ slots?: unknown[]; settings: Record<string, unknown> }>(
      `/manage/v1/stores/${exampleIds.dubaiStore}/intake`,
    );
    expect(body.slots?.length).toBeGreaterThan(0);
    expect(body.settings).toMatchObject({
      capacity: { slot_minutes: 15, orders: 12 },
      special_days: [{ as: 'Friday', note: 'New Year’s Eve' }],
    });
    const [{ date } = { date: '' }] = body.settings['special_days'] as { date: string }[];
    const today = new Date().toISOString().slice(0, 10);
    expect([date >= today, date.slice(5)]).toEqual([true, '12-31']);
    const others = [exampleIds.store, exampleIds.tokyoStore].map((id) =>
      read<{ slots?: unknown[] }>(`/manage/v1/stores/${id}/intake`),
    );
    expect((await Promise.all(others)).map((answer) => answer.body.slots)).toEqual([undefined, undefined]);
  });

  it('shows five menus and what has sold out', async () => {
    const { body } = await read<Tree>(`/v1/stores/${exampleIds.store}/menu_configuration/`);
    expect(body.menu_configuration.map(({ external_id }) => external_id)).toEqual([
      'breakfast',
      'lunch',
      'dinner',
      'late-night',
      'bar',
    ]);
    const items = body.menu_configuration.flatMap(({ categories }) =>
      categories.flatMap((each) => each.items),
    );
    const soldOut = items.filter((item) => !item.in_stock).map(({ external_id }) => external_id);
    expect(new Set(soldOut)).toEqual(new Set(['crema-catalana']));
  });

  it('stays as it is when it is loaded again, also what has been changed since', async () => {
    const path = `/v1/stores/${exampleIds.store}/menu_configuration/`;
    const body = { items: [] };
    await ask(service.url + path, { method: 'POST', key, body });
    const before = [await read(path), await countOrders()] as const;
    // A week later: how many orders there are depends on the time and the day of the week.
    await loadDemo(service.db, limits, LOADED_AT + 7 * 86_400_000);
    expect([(await read(path)).body, await countOrders()]).toEqual([before[0].body, before[1]]);
    await ask(`${service.url}/manage/v1/stores/${exampleIds.store}/menu/versions/2/restore`, {
      method: 'POST',
      key,
    });
  });

  it('can be loaded by two at once', async () => {
    const other = await startService();
    await Promise.all([loadDemo(other.db, limits, Date.now()), loadDemo(other.db, limits, Date.now())]);
    expect(await readDemoState(other.db)).toBe('begun');
    await other.stop();
  });
});

/** Only an answer can tell what to send for these, or the same again would do something else than the first time. */
const WITHOUT_EXAMPLE = new Set(['cursor', 'after', 'check', 'Idempotency-Key']);

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string | number;
  readonly description?: string;
}
interface Operation {
  readonly parameters?: Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

describe.each(['/openapi.json', '/manage/openapi.json'])('%s', (path) => {
  it('has an example for every parameter, and each GET finds something with them', async () => {
    const { body } = await read<Document>(path);
    let sent = 0;
    for (const [template, methods] of Object.entries(body.paths)) {
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        const bare = parameters.filter(
          ({ name, example }) => example === undefined && !WITHOUT_EXAMPLE.has(name),
        );
        expect([method, template, bare]).toEqual([method, template, []]);
        // A live stream has no end, and the demo has no webhook, no publication, and no key, place or printer of a known id.
        if (method !== 'get' || /\/stream$|\{(webhook|publication|key|place|printer)_id\}/.test(template))
          continue;
        const asked = await sendExample(template, parameters);
        expect([template, asked.status]).toEqual([template, 200]);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThan(3);
  });

  it('has words of its own for every parameter, and an example for every body', async () => {
    const { body } = await read<Document>(path);
    for (const [template, methods] of Object.entries(body.paths)) {
      for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
        const wordless = parameters.filter(({ description = '' }) => description.length < 10);
        expect([method, template, wordless]).toEqual([method, template, []]);
        // An image is no text that a document could show.
        const texts = Object.entries(requestBody?.content ?? {}).filter(
          ([type]) => !type.startsWith('image/'),
        );
        for (const [, { example }] of texts) expect([method, template, example]).not.toContain(undefined);
      }
    }
  });

  it('finds the example order with all example filters together', async () => {
    const { body } = await read<Document>('/openapi.json');
    const list = '/v1/stores/{store_service_id}/orders/';
    const { body: found } = await sendExample(list, body.paths[list]?.['get']?.parameters ?? []);
    expect(found).toMatchObject({ count: 1, order_result_list: [{ id: exampleIds.order }] });
  });
});

function sendExample(template: string, parameters: readonly Parameter[]) {
  const of = (place: string) =>
    parameters.filter((parameter) => parameter.in === place && parameter.example !== undefined);
  const path = of('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    template,
  );
  const query = new URLSearchParams(
    Object.fromEntries(of('query').map(({ name, example }) => [name, String(example)])),
  ).toString();
  const headers = Object.fromEntries(of('header').map(({ name, example }) => [name, String(example)]));
  const needsOperator = /^\/manage\/v1\/(keys|backup|database|usage|audit|merchants\/)/.test(template);
  return ask(`${service.url}${path}?${query}`, { key: needsOperator ? service.operatorKey : key, headers });
}
