import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filters,
  modelList,
  modelMayMove,
  moments,
  names,
  phones,
  statuses,
  toModel,
  toQuery,
  type ModelFilter,
  type ModelOrder,
} from '../harness/order-model.js';
import { importLines, list, orderRequest, patch, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant, type Tenant } from '../harness/tenant.js';

const service = await useService();

const wanted = fc.record({
  customer: fc.record({ name: names, phone: phones }),
  created_at: moments.map((ms) => new Date(ms).toISOString()),
  status: statuses,
});

const actions = fc.oneof(
  { weight: 4, arbitrary: wanted.map((order) => ({ kind: 'take in' as const, order })) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat' as const), at: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move' as const), at: fc.nat(), status: statuses }) },
  {
    weight: 1,
    arbitrary: fc.array(wanted, { maxLength: 30 }).map((orders) => ({ kind: 'import' as const, orders })),
  },
  { weight: 4, arbitrary: filters.map((filter) => ({ kind: 'list' as const, filter })) },
);

describe('whatever happens to a store’s orders', () => {
  it('its lists, counts and pages equal those of a plain list in memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(actions, { minLength: 10, maxLength: 40 }), async (steps) => {
        const tenant = await createTenant(service);
        const orders: ModelOrder[] = [];
        let serial = 0;
        for (const step of steps) {
          switch (step.kind) {
            case 'take in': {
              const { status, body } = await takeIn(service, tenant, {
                ...step.order,
                external_id: `${serial}`,
              });
              expect(status).toBe(201);
              orders.push(toModel(body));
              serial += 1;
              break;
            }
            case 'repeat': {
              if (serial === 0) break;
              const external_id = String(step.at % serial);
              const { status } = await takeIn(service, tenant, { external_id, price: 12345 });
              expect(status).toBe(409);
              break;
            }
            case 'move':
              await move(tenant, orders[step.at % orders.length], step.status);
              break;
            case 'import':
              await importAll(tenant, step.orders);
              await readNew(tenant, orders);
              break;
            case 'list':
              await expectSameList(tenant, orders, step.filter);
          }
        }
        await expectSameList(tenant, orders, { pageIndex: 1, pageSize: 100 });
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  it('the same holds for a store large enough for every way of searching', async () => {
    const tenant = await createTenant(service);
    const many = fc.sample(wanted, { numRuns: 9_000, seed: 4 });
    await importAll(tenant, many);
    const orders: ModelOrder[] = [];
    await readNew(tenant, orders);
    expect(orders).toHaveLength(9_000);
    for (const filter of fc.sample(filters, { numRuns: 150, seed: 5 })) {
      await expectSameList(tenant, orders, filter);
    }
  }, 120_000);
});

async function move(tenant: Tenant, order: ModelOrder | undefined, status: string): Promise<void> {
  if (order === undefined) return;
  const answer = await patch(service, tenant.key, order.id, { status });
  expect(answer.status).toBe(modelMayMove(order.status, status) ? 200 : 409);
  if (answer.status === 200) order.status = status;
}

async function importAll(tenant: Tenant, orders: readonly object[]): Promise<void> {
  const lines = orders.map((order) => JSON.stringify({ store_id: tenant.storeId, ...orderRequest(order) }));
  const { body } = await importLines(service, tenant.key, lines.join('\n'));
  expect(body).toEqual({ created: orders.length, existing: 0, refused: 0, errors: [] });
}

/** The import does not tell the ids it made, so the model takes them straight from the table. */
async function readNew(tenant: Tenant, orders: ModelOrder[]): Promise<void> {
  const known = new Set(orders.map(({ id }) => id));
  const rows = await service.db.query<ModelOrder & { createdAt: Date }>({
    name: 'model-orders',
    text: `SELECT o.id, o.created_at AS "createdAt", o.customer_name AS name, o.customer_phone AS phone, o.status
           FROM orders o JOIN stores s USING (store_key) WHERE s.id = $1`,
    values: [tenant.storeId],
  });
  for (const row of rows) if (!known.has(row.id)) orders.push({ ...row, createdAt: row.createdAt.getTime() });
}

async function expectSameList(
  tenant: Tenant,
  orders: readonly ModelOrder[],
  filter: ModelFilter,
): Promise<void> {
  const { status, body } = await list(service, tenant, toQuery(filter));
  expect(status).toBe(200);
  const listed = { count: body.count, ids: body.order_result_list.map(({ id }) => id) };
  expect({ filter, ...listed }).toEqual({ filter, ...modelList(orders, filter) });
}
