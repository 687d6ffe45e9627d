import type { Bench, Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { createStore } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { compareRates } from '../measure/compare.js';
import { requestBytes } from '../measure/request.js';
import { pidsOf, withService, type Setting } from './setting.js';

const LINES = 10;
const DIFFERENT = 200;
/** When the menu is open. */
const AT = '2026-11-16T12:00:00Z';

export const quotes: Part = {
  name: 'quotes',
  title: 'Quotes against GET order',
  short: 'Quotes',
  notes: [
    `A quote of ${LINES} lines with two modifiers each, on a menu of 10,000 items. Reference: GET of an order of the same service.`,
  ],
  run: (bench) => withService(bench, (setting) => measure(bench, setting)),
};

async function measure(bench: Bench, setting: Setting): Promise<Figure[]> {
  const { service, tenant } = setting;
  bench.step('Quotes: preparing');
  const storeId = await createStore(service, tenant, 'Quotes');
  const menu = menuJson(MENUS[10000]);
  const { key } = tenant;
  await service.ask({ path: `/v1/stores/${storeId}/menu_configuration/`, key, body: menu });
  const headers = { 'x-api-key': key };
  const quoting = bodiesFor(JSON.parse(menu) as Menu).map((body) =>
    requestBytes({ method: 'POST', path: `/manage/v1/stores/${storeId}/quote`, headers, body }),
  );
  const reading = (await takeInOrders(setting, storeId)).map((id) =>
    requestBytes({ path: `/v1/orders/${id}`, headers }),
  );
  const pids = await pidsOf(service);
  const figures: Figure[] = [];
  for (const connections of [16, 64]) {
    figures.push(
      await compareRates(bench, {
        name: `${LINES} lines, ${connections} connections`,
        service: { port: service.port, pids, requests: quoting },
        reference: { port: service.port, pids, requests: reading },
        connections,
        target: { atLeast: 0.3 },
        // Long enough that what is measured has been compiled.
        durationMs: 2_000,
      }),
    );
  }
  return figures;
}

interface Menu {
  readonly items: readonly {
    readonly external_id: string;
    readonly modifier_external_ids: readonly string[];
  }[];
  readonly modifier_groups: readonly {
    readonly external_id: string;
    readonly modifier_item_external_ids: readonly string[];
  }[];
}

function bodiesFor({ items, modifier_groups: groups }: Menu): string[] {
  const known = new Map(groups.map((group) => [group.external_id, group.modifier_item_external_ids]));
  return Array.from({ length: DIFFERENT }, (_, nth) => {
    const chosen = Array.from({ length: LINES }, (_line, at) => items[(nth * 47 + at * 911) % items.length]);
    const lines = chosen.map((item) => ({
      external_id: item?.external_id,
      quantity: 2,
      modifiers: (item?.modifier_external_ids ?? []).slice(0, 2).map((group_external_id) => ({
        group_external_id,
        external_id: known.get(group_external_id)?.[0],
      })),
    }));
    return JSON.stringify({ items: lines, at: AT });
  });
}

async function takeInOrders({ service, tenant }: Setting, storeId: string): Promise<string[]> {
  const body = {
    customer: { name: 'Ada', phone: '+48 22 555 01 23' },
    items: [{ external_id: 'item-1', name: 'Soup', quantity: 1, price: 390, tax: 39, modifiers: [] }],
    price: 390,
    tax: 39,
    ready_by: AT,
  };
  const path = `/manage/v1/stores/${storeId}/orders`;
  const made = Array.from({ length: DIFFERENT }, () =>
    service.ask<{ id: string }>({ path, key: tenant.key, body }),
  );
  return (await Promise.all(made)).map(({ id }) => id);
}
