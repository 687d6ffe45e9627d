import type { ItemMark } from '#sdk';
import { client } from '../../client.js';
import { t } from '../../language/t.js';

export interface StockTarget {
  readonly kind: 'item' | 'modifier_item';
  readonly externalId: string;
}

/** The service takes no more at once. */
const MOST_AT_ONCE = 1_000;

/** Marks all of them: items at once, or none of them; a modifier item knows no more than sold out or not. */
export async function markStock(
  storeId: string,
  targets: readonly StockTarget[],
  mark: ItemMark,
): Promise<void> {
  const items = targets.filter(({ kind }) => kind === 'item');
  for (let from = 0; from < items.length; from += MOST_AT_ONCE)
    await client.markItems(storeId, {
      items: items
        .slice(from, from + MOST_AT_ONCE)
        .map(({ externalId }) => ({ external_id: externalId, ...mark })),
    });
  for (const { kind, externalId } of targets)
    if (kind === 'modifier_item')
      await client.markModifierItem(storeId, externalId, { in_stock: mark.in_stock });
}

/** What was done, for a sentence. */
export function describeMark({ in_stock: inStock, left, prep_type: station }: ItemMark): string {
  if (typeof station === 'string')
    return station === '' ? t('No station') : t('Station {name}', { name: station });
  if (typeof left === 'number') return t('{count} portion left | {count} portions left', { count: left });
  return inStock === true ? t('Back in stock') : t('Sold out');
}

/** What takes a mark back; undefined where what was before is not known. */
export function reverseOf({ in_stock: inStock, left }: ItemMark): ItemMark | undefined {
  if (typeof left === 'number') return { in_stock: true, left: null };
  return typeof inStock === 'boolean' ? { in_stock: !inStock } : undefined;
}
