import type { ComponentChildren } from 'preact';
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
        <Row key={i} label={<bdi>{name}</bdi>}>
          {amount === 0 ? toMoney(0, currency) : toPriceChange(amount, currency)}
        </Row>
      ))}
      {other !== 0 && <Row label={t('free_choices_discounts_fees')}>{toPriceChange(other, currency)}</Row>}
      {isNet && <Row label={t('tax')}>{toMoney(order.tax, currency)}</Row>}
      <Row label={t('total')} isSum>
        {toMoney(total, currency)}
      </Row>
      {!isNet && <Row label={t('tax_in_it')}>{toMoney(order.tax, currency)}</Row>}
      {tip !== undefined && <Row label={t('tip')}>{toMoney(tip, currency)}</Row>}
    </dl>
  );
}

interface RowProps {
  readonly label: ComponentChildren;
  readonly isSum?: boolean;
  readonly children: string;
}

function Row({ label, isSum = false, children }: RowProps) {
  return (
    <div class={isSum ? 'sum' : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
