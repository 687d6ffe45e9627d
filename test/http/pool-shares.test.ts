import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { chain, menuClient } from '../harness/menu.js';
import { takeIn } from '../harness/orders.js';
import { startService, type Service } from '../harness/service.js';
import { createTenant, type Tenant } from '../harness/tenant.js';

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Record<string, { readonly example: unknown }> };
  readonly parameters?: readonly Parameter[];
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: string | number;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

let service: Service;
let tenant: Tenant;
let other: Tenant;
let orderId: string;
beforeAll(async () => {
  const first = await startService();
  [tenant, other] = [await createTenant(first), await createTenant(first)];
  orderId = (await takeIn(first, tenant)).body.id;
  await menuClient(first, tenant).post(chain());
  await menuClient(first, other).post(chain());
  // One that has nothing in memory yet.
  const fresh = await first.replica();
  service = {
    ...fresh,
    stop: async () => {
      await fresh.stop();
      await first.stop();
    },
  };
});
afterAll(() => service.stop());

const UNKNOWN = '01980c6e-5c00-7000-8000-00000000ffff';

const requiredQuery = (parameters: readonly Parameter[]) => {
  const needed = parameters.filter((one) => one.in === 'query' && one.required === true);
  return `?${new URLSearchParams(needed.map(({ name, example }): [string, string] => [name, String(example)])).toString()}`;
};

/** Every operation of both surfaces, as the merchant's key would use it. */
async function requests() {
  const documents = await Promise.all(
    ['/openapi.json', '/manage/openapi.json'].map((path) => ask<Document>(service.url + path)),
  );
  return documents
    .flatMap(({ body }) => Object.entries(body.paths))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, requestBody, parameters = [] }]) => {
        const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
        const filled = path
          .replace(/\{(store_service_id|store_id)\}/, tenant.storeId)
          .replace(/\{(order_service_id|order_id)\}/, orderId)
          .replace(/\{(from|to|version)\}/g, '1')
          .replace('/items/{external_id}', '/items/i')
          .replace('/modifier_items/{external_id}', '/modifier_items/o')
          .replace(/\{(merchant_service_id|merchant_id)\}/, tenant.merchantId)
          .replace(/\{\w+\}/g, UNKNOWN);
        const example = content?.example;
        const own =
          typeof example === 'string'
            ? example.replace(/"store_id":"[^"]+"/, `"store_id":"${tenant.storeId}"`)
            : example;
        return {
          operationId,
          url: service.url + filled + requiredQuery(parameters),
          sent: {
            method: method.toUpperCase(),
            key: tenant.key,
            ...(own === undefined ? {} : { body: own }),
            ...(type === undefined ? {} : { headers: { 'content-type': type } }),
          },
        };
      }),
    );
}

it('whatever a merchant asks for takes of its own part of the connections, and leaves the others theirs', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  // All that a merchant may have of five.
  const holding = [1, 2, 3].map(() =>
    service.db.forTenant({ merchantId: tenant.merchantId }).transaction(() => released),
  );
  const all = await requests();
  expect(all.length).toBeGreaterThan(45);
  const answered: [string, number][] = [];
  const asked = all.map(async ({ operationId, url, sent }) => {
    const { status } = await ask(url, sent);
    answered.push([operationId, status]);
  });
  for (const answer of asked) answer.catch(() => undefined);

  const quiet = `${service.url}/v1/stores/${other.storeId}`;
  for (const path of ['', '/orders/', '/menu_configuration/'])
    expect((await ask(quiet + path, { key: other.key })).status).toBe(200);
  await delay(1_000);
  // The intake of a store that has set nothing needs no database, nor does what is no photo, or the way of a request.
  const free = ['get_intake', 'put_photo', 'describe_connection'];
  // What has waited for 5 seconds gets 503.
  const whileHeld = answered.filter(([id, status]) => ![403, 503].includes(status) && !free.includes(id));
  release();
  await Promise.all(holding);
  expect(whileHeld).toEqual([]);
});
