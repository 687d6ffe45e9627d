import type { Part } from '../bench.js';
import { ORDER } from '../data/orders.js';
import { compareRates, type Side } from '../measure/compare.js';
import { requestBytes } from '../measure/load.js';
import { publishMenu, type Setting } from '../servers/service.js';

const WRITERS = 20;
const SLOT_MS = 15 * 60_000;
const SLOTS = 200;
/** Never reached: the count is measured, not the refusal. */
const CAPACITY = { slot_minutes: 15, orders: 100_000 };

export const pace: Part = {
  name: 'pace',
  title: 'Taking in orders, with and without a capacity',
  notes: `${WRITERS} connections take in orders of one store, for ${SLOTS} slots in turn: checked against the menu, and unchecked. Reference: the
same in a store without a capacity.`,
  run: async (bench) => {
    const setting = await bench.own();
    const options = { connections: WRITERS, expectStatus: 201, durationMs: 600 };
    const compare = async (name: string, query: string) =>
      compareRates(bench, {
        name: `${name}, ${WRITERS} writers`,
        service: await ordering(setting, query, CAPACITY),
        reference: await ordering(setting, query, null),
        ...options,
      });
    return [await compare('checked', '?check=menu'), await compare('unchecked', '')];
  },
};

const text = (en: string) => ({ translations: { en } });

const MENU = JSON.stringify({
  menus: [{ external_id: 'menu', name: text('Menu'), availability: [], category_external_ids: ['drinks'] }],
  categories: [{ external_id: 'drinks', name: text('Drinks'), item_external_ids: ['flat-white'] }],
  items: [
    {
      external_id: 'flat-white',
      name: text('Flat white'),
      price: 390,
      tax: 35,
      prep_time: 4,
      sell_separately: true,
    },
  ],
  modifier_groups: [],
  modifier_items: [],
});

async function ordering(setting: Setting, query: string, capacity: object | null): Promise<Side> {
  const storeId = await publishMenu(setting, MENU);
  const path = `/manage/v1/stores/${storeId}`;
  await setting.service.ask(`${path}/intake/settings`, { method: 'PATCH', body: { capacity } });
  const headers = { 'x-api-key': setting.tenant.key };
  const first = Math.ceil(Date.now() / SLOT_MS) * SLOT_MS + 8 * SLOT_MS;
  const requests = Array.from({ length: SLOTS }, (_, i) => {
    const order = { ...ORDER, ready_by: new Date(first + i * SLOT_MS).toISOString() };
    return requestBytes({ path: `${path}/orders${query}`, headers, body: JSON.stringify(order) });
  });
  return { server: setting.service, requests };
}
