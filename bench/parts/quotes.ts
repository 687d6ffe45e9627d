import type { Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { ORDER } from '../data/orders.js';
import { compareRates } from '../measure/compare.js';
import { requestBytes } from '../measure/load.js';
import { publishMenu, takeInOrder } from '../servers/service.js';

const LINES = 10;
const DIFFERENT = 200;
/** When the menu is open. */
const AT = '2026-11-16T12:00:00Z';

export const quotes: Part = {
  name: 'quotes',
  title: 'Quotes against GET order',
  notes: `A quote of ${LINES} lines with two modifiers each, on a menu of 10,000 items. Reference: GET of an order of the same service.`,
  run: async (bench) => {
    const setting = await bench.shared();
    const { service, tenant } = setting;
    const headers = { 'x-api-key': tenant.key };
    const menu = menuJson(MENUS[10000]);
    const storeId = await publishMenu(setting, menu);
    const ids = await Promise.all(
      Array.from({ length: DIFFERENT }, () => takeInOrder(setting, storeId, ORDER)),
    );
    const reading = ids.map((id) => requestBytes({ path: `/v1/orders/${id}`, headers }));
    const quoting = quoteBodies(JSON.parse(menu) as Menu).map((body) =>
      requestBytes({ path: `/manage/v1/stores/${storeId}/quote`, headers, body }),
    );
    const compare = (connections: number) =>
      compareRates(bench, {
        name: `${LINES} lines, ${connections} connections`,
        service: { server: service, requests: quoting },
        reference: { server: service, requests: reading },
        connections,
        durationMs: 600,
      });
    return [await compare(16), await compare(64)];
  },
};

interface Menu {
  readonly items: readonly { external_id: string; modifier_external_ids: readonly string[] }[];
  readonly modifier_groups: readonly { external_id: string; modifier_item_external_ids: readonly string[] }[];
}

function quoteBodies({ items, modifier_groups: groups }: Menu): string[] {
  const modifiers = new Map(groups.map((group) => [group.external_id, group.modifier_item_external_ids[0]]));
  const line = (i: number) => {
    const { external_id, modifier_external_ids: of = [] } = items[i % items.length] ?? {};
    const chosen = of.slice(0, 2).map((group) => ({
      group_external_id: group,
      external_id: modifiers.get(group),
    }));
    return { external_id, quantity: 2, modifiers: chosen };
  };
  return Array.from({ length: DIFFERENT }, (_quote, i) => {
    const lines = Array.from({ length: LINES }, (_line, j) => line(i * 47 + j * 911));
    return JSON.stringify({ items: lines, at: AT });
  });
}
