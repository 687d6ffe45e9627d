import { ask } from './client.js';
import { comboMenu } from './combo.js';
import { menuClient } from './menu.js';
import { orderRequest, type OrderBody } from './orders.js';
import type { Service } from './service.js';
import { createTenant, type Tenant } from './tenant.js';

const MINUTE = 60_000;
const SLOT_MS = 15 * MINUTE;

interface Refused {
  readonly detail?: readonly { readonly type: string; readonly ctx?: { readonly next_at?: string } }[];
}

/** A store whose kitchen takes only so many orders in a quarter of an hour. */
export async function storeWithSlots(service: Service, orders: number) {
  const tenant = await createTenant(service);
  await menuClient(service, tenant).post(comboMenu());
  await ask(`${service.url}/manage/v1/stores/${tenant.storeId}/intake/settings`, {
    method: 'PATCH',
    key: service.operatorKey,
    body: { capacity: { slot_minutes: 15, orders } },
  });
  return tenant;
}

/** The beginning of a slot in two hours, when the test is over. */
export function slotAhead(): number {
  return Math.ceil((Date.now() + 120 * MINUTE) / SLOT_MS) * SLOT_MS;
}

/** Without a `readyBy`, the store gives it a slot. */
export function orderFor(service: Service, { storeId, key }: Tenant, readyBy?: number) {
  return ask<Refused & OrderBody>(`${service.url}/manage/v1/stores/${storeId}/orders?check=menu`, {
    method: 'POST',
    key,
    body: orderRequest({
      items: [{ external_id: 'fries', quantity: 1 }],
      price: 300,
      tax: 30,
      ready_by: readyBy === undefined ? undefined : new Date(readyBy).toISOString(),
    }),
  });
}

/** Orders for the slot, or for the next that each refusal names, until it is taken; answers how often it was refused. */
export async function orderAsSoonAs(service: Service, tenant: Tenant, slot: number): Promise<number> {
  for (let readyBy = slot, refusals = 0; ; refusals += 1) {
    const { status, body } = await orderFor(service, tenant, readyBy);
    if (status === 201) return refusals;
    const [refusal] = body.detail ?? [];
    const next = Date.parse(refusal?.ctx?.next_at ?? '');
    if (status !== 422 || refusal?.type !== 'slot_full' || !(next > readyBy))
      throw new Error(`${status} ${JSON.stringify(body)}`);
    readyBy = next;
  }
}

/** How many orders each slot has, the first that has any to the last: by the orders themselves, and as the store says. */
export async function countSlots(service: Service, tenant: Tenant) {
  const ordered = new Map<string, number>();
  const listed = await ask<{ orders: { ready_by: string }[] }>(
    `${service.url}/manage/v1/stores/${tenant.storeId}/orders?limit=1000`,
    { key: tenant.key },
  );
  for (const { ready_by } of listed.body.orders) {
    const start = new Date(Math.floor(Date.parse(ready_by) / SLOT_MS) * SLOT_MS).toISOString();
    ordered.set(start, (ordered.get(start) ?? 0) + 1);
  }
  const { body } = await ask<{ slots: { start: string; orders: number }[] }>(
    `${service.url}/manage/v1/stores/${tenant.storeId}/intake`,
    { key: tenant.key },
  );
  const said = body.slots.filter(({ orders }) => orders > 0);
  const sorted = [...ordered].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ordered: sorted,
    said: said.map(({ start, orders }) => [new Date(start).toISOString(), orders] as const),
  };
}
