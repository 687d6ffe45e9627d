import type { ItemMark, StockMark } from '#sdk';
import { client } from '../../../data/session.js';
import { t } from '../../../text/t.js';

export interface StockTarget {
  readonly kind: 'item' | 'modifier_item';
  readonly externalId: string;
}

export interface TargetMark extends StockTarget {
  readonly mark: ItemMark;
}

/** The service takes 1,000, and each item is named twice. */
const MOST_AT_ONCE = 500;

/**
 * Marks all items or none of them, then the modifier items, which have no count and no station. Returns the marks that undo
 * this.
 */
export async function markStock(storeId: string, wanted: readonly TargetMark[]): Promise<TargetMark[]> {
  const items = wanted.filter(({ kind }) => kind === 'item');
  const reverse: TargetMark[] = [];
  for (let from = 0; from < items.length; from += MOST_AT_ONCE)
    reverse.push(...(await markItems(storeId, items.slice(from, from + MOST_AT_ONCE))));
  for (const one of wanted) if (one.kind === 'modifier_item') reverse.push(await markOption(storeId, one));
  return reverse;
}

/** An entry without changes returns the present mark. It goes in the same request, so that no order comes in between. */
async function markItems(storeId: string, wanted: readonly TargetMark[]): Promise<TargetMark[]> {
  const present = wanted.map(({ externalId }) => ({ external_id: externalId }));
  const marked = wanted.map(({ externalId, mark }) => ({ external_id: externalId, ...mark }));
  const { items } = await client.markItems(storeId, { items: [...present, ...marked] });
  return wanted.flatMap((one, i) => (items[i] ? [{ ...one, mark: reverseOf(one.mark, items[i]) }] : []));
}

async function markOption(storeId: string, wanted: TargetMark): Promise<TargetMark> {
  const { externalId, mark } = wanted;
  const before = await client.markModifierItem(storeId, externalId, {});
  await client.markModifierItem(storeId, externalId, { in_stock: mark.in_stock, until: mark.until });
  return { ...wanted, mark: reverseOf(mark, before) };
}

/** Restores only what the mark has changed. */
function reverseOf(mark: ItemMark, before: StockMark): ItemMark {
  if (typeof mark.prep_type === 'string') return { prep_type: before.prep_type ?? '' };
  const { in_stock: inStock, until, left } = before;
  // With none left, an item is sold out by its count, until an order gives a portion back.
  const isCountedOut = left === 0 && until === undefined;
  // To state that it is in stock ends a count of 0.
  const changesCount = mark.left !== undefined || left === 0;
  return {
    in_stock: inStock || isCountedOut,
    until: until ?? null,
    ...(changesCount ? { left: left ?? null } : {}),
  };
}

/** What was done, for a sentence. */
export function describeMark({ in_stock: inStock, left, prep_type: station }: ItemMark): string {
  if (typeof station === 'string')
    return station === '' ? t('no_station') : t('station_name', { name: station });
  if (typeof left === 'number') return t('count_portions_left', { count: left });
  return inStock === true ? t('back_in_stock') : t('sold_out');
}
