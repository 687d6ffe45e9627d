import type { PricedLine } from './check-line.js';
import type { SelectedModifier } from './check-modifiers.js';
import type { PricedOrder } from './quote-order.js';

/** What a quote is valid for, beside its moment. */
export interface Validity {
  /** Of the menu. */
  readonly version: number;
  readonly stockRevision: number;
  readonly currency: string | undefined;
}

/** The JSON text of a Quote. Names are JSON already, so that none is parsed to be written again. */
export function quoteText(order: PricedOrder, { version, stockRevision, currency }: Validity): string {
  const money = currency === undefined ? '' : `,"currency":${JSON.stringify(currency)}`;
  return (
    `{"menu_version":${version},"stock_revision":${stockRevision},"at":"${new Date(order.at).toISOString()}"${money},` +
    `"items":[${order.lines.map(lineText).join()}],"price":${order.price},"tax":${order.tax}}`
  );
}

function lineText({ externalId, item, quantity, modifiers, totalPrice, totalTax }: PricedLine): string {
  return (
    `{"external_id":${JSON.stringify(externalId)},"name":${item.name},"quantity":${quantity},"price":${item.price},` +
    `"tax":${item.tax},"modifiers":[${modifiers.map(modifierText).join()}],` +
    `"total_price":${totalPrice},"total_tax":${totalTax}}`
  );
}

function modifierText({ groupId, externalId, modifier, quantity, freeQuantity }: SelectedModifier): string {
  return (
    `{"group_external_id":${JSON.stringify(groupId)},"external_id":${JSON.stringify(externalId)},` +
    `"name":${modifier.name},"quantity":${quantity},"free_quantity":${freeQuantity},` +
    `"price_change":${modifier.priceChange},"tax_change":${modifier.taxChange}}`
  );
}
