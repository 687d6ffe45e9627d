import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/demo/orders.js';
import { offsetsByKind } from '../../src/menus/kinds.js';
import { packPrices, unpackPrices } from '../../src/menus/price-list.js';
import { portionsOf } from '../../src/orders/intake/portions.js';
import { readLines } from '../../src/orders/lines.js';
import type { Entry, Line } from '../quotes/model.js';
import { randomOrder, randomShop } from '../quotes/random-shop.js';

describe('what an order takes of counted items', () => {
  it('is what counting every unit by hand gives', () => {
    let counted = 0;
    for (let seed = 0; seed < 500; seed += 1) {
      const random = createRandom(Math.imul(seed + 1, 2_654_435_761));
      const shop = randomShop(random);
      const { items, modifier_items: modifiers = [] } = shop.menu;
      const ids = Array.from({ length: 100 }, (_, i) => i);
      const menu = unpackPrices(packPrices(shop.menu, ids));
      const idOf = (i: number) => offsetsByKind(shop.menu).item + i;
      const counts = new Map(items.flatMap((_, i) => (i % 2 === 0 ? [[idOf(i), 5] as const] : [])));
      const order = randomOrder(shop, random);

      const sold: string[] = [];
      const sell = (externalId: string | undefined, times: number) => {
        if (externalId !== undefined) for (let unit = 0; unit < times; unit += 1) sold.push(externalId);
      };
      const sellModifiers = ({ modifiers: entries = [] }: Line | Entry, times: number) => {
        for (const entry of entries) {
          const total = times * (entry.quantity ?? 1);
          const modifier = modifiers.find((one) => one.external_id === entry.external_id);
          sell(modifier?.menu_item_external_id, total);
          sellModifiers(entry, total);
        }
      };
      for (const line of order.items) {
        sell(line.external_id, line.quantity);
        sellModifiers(line, line.quantity);
      }
      const expected = items.flatMap(({ external_id }, i) => {
        const units = sold.filter((one) => one === external_id).length;
        return counts.has(idOf(i)) && units > 0 ? [{ entity_id: idOf(i), units }] : [];
      });
      const found = portionsOf(readLines(order.items), { ...menu, counts });
      expect(found.sort((a, b) => a.entity_id - b.entity_id)).toEqual(
        expected.map(({ entity_id, units }) => ({ entity_id, units: Math.min(units, 1_000_000) })),
      );
      counted += expected.length;
    }
    expect(counted).toBeGreaterThan(200);
  });

  it('is nothing where an unchecked order cannot be read', () => {
    const list = {
      ...unpackPrices(packPrices({ items: [] }, [])),
      marks: new Map(),
      counts: new Map([[1, 1]]),
    };
    for (const items of [[], [null, 7, 'x', [], {}], [{ external_id: {}, modifiers: [{ modifiers: 'x' }] }]])
      expect(portionsOf(readLines(items), list)).toEqual([]);
  });
});
