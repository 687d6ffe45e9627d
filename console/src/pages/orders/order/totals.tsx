import type { ManagedOrder } from '#sdk';
import { readLines, taxOf } from '../../../../../src/orders/lines.js';
import { t } from '../../../text/t.js';
import { toMoney, toPriceChange } from '../../../text/format.js';
import { sumOf, toOrderLines } from '../read-lines.js';

interface TotalsProps {
  readonly order: ManagedOrder;
  readonly currency: string | undefined;
}

/** What the order comes to, with fees, discounts and tip. */
export function Totals({ order, currency }: TotalsProps) {
  const { charges = [], discounts = [], tip } = order;
  // The sender states the price. Where the lines do not add up to it, a row of its own shows the difference.
  const total = order.price + order.tax;
  // Lines that state no tax are without it: it is then added below them.
  const isNet = order.tax !== 0 && readLines(order.items).every((line) => taxOf(line) === 0);
  const shown = isNet ? order.price : total;
  const amountOf = ({ price, tax }: { readonly price: number; readonly tax: number }) =>
    isNet ? price : price + tax;
  const apart = [
    ...charges.map((charge) => [charge.name, amountOf(charge)] as const),
    ...discounts.map((discount) => [discount.name, -amountOf(discount)] as const),
  ];
  const known = apart.reduce((sum, [, amount]) => sum + amount, 0);
  const other = shown - known - (sumOf(toOrderLines(order.items)) ?? shown - known);
  return (
    <dl class="totals number">
      {apart.map(([name, amount], i) => (
        <div key={i}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>{amount === 0 ? toMoney(0, currency) : toPriceChange(amount, currency)}</dd>
        </div>
      ))}
      {other !== 0 && (
        <div>
          <dt>{t('free_choices_discounts_fees')}</dt>
          <dd>{toPriceChange(other, currency)}</dd>
        </div>
      )}
      {isNet && (
        <div>
          <dt>{t('tax')}</dt>
          <dd>{toMoney(order.tax, currency)}</dd>
        </div>
      )}
      <div class="sum">
        <dt>{t('total')}</dt>
        <dd>{toMoney(total, currency)}</dd>
      </div>
      {!isNet && (
        <div>
          <dt>{t('tax_in_it')}</dt>
          <dd>{toMoney(order.tax, currency)}</dd>
        </div>
      )}
      {tip !== undefined && (
        <div>
          <dt>{t('tip')}</dt>
          <dd>{toMoney(tip, currency)}</dd>
        </div>
      )}
    </dl>
  );
}
