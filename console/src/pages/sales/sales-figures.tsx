import type { Sales, SalesTotal } from '#sdk';
import { t } from '../../text/t.js';
import { toMoney, toSigned } from '../../text/format.js';

interface FiguresProps {
  readonly total: SalesTotal;
  readonly before: SalesTotal;
  /** How many weeks before it is compared with. */
  readonly weeks: number;
  readonly currency: Sales['currency'];
}

/** What the period came to, and how much more or less that is than before. */
export function SalesFigures({ total, before, weeks, currency }: FiguresProps) {
  const money = (minor: number) => toMoney(minor, currency);
  const average = ({ orders = 0, price, tax }: SalesTotal) =>
    orders === 0 ? 0 : Math.round((price + tax) / orders);
  const apart = (sums: SalesTotal['cancelled']) =>
    `${sums?.orders ?? 0} · ${money((sums?.price ?? 0) + (sums?.tax ?? 0))}`;
  return (
    <dl class="figures number" aria-label={t('in_all')}>
      <Figure label={t('takings_with_tax')} value={money(total.price + total.tax)}>
        {compare(total.price + total.tax, before.price + before.tax, weeks)}
      </Figure>
      <Figure label={t('orders')} value={String(total.orders ?? 0)}>
        {compare(total.orders ?? 0, before.orders ?? 0, weeks)}
      </Figure>
      <Figure label={t('average_order')} value={money(average(total))}>
        {compare(average(total), average(before), weeks)}
      </Figure>
      <Figure label={t('tax_in_it')} value={money(total.tax)} />
      {total.charges !== undefined && (
        <Figure label={t('charges')} value={money(total.charges.price + total.charges.tax)} />
      )}
      {total.discounts !== undefined && (
        <Figure label={t('discounts')} value={money(total.discounts.price + total.discounts.tax)} />
      )}
      {total.tip !== undefined && <Figure label={t('tips')} value={money(total.tip)} />}
      <Figure label={t('cancelled_orders')} value={apart(total.cancelled)} />
      <Figure label={t('rejected_orders')} value={apart(total.rejected)} />
    </dl>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly children?: string;
}

function Figure({ label, value, children }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        {children !== undefined && <span class="compared">{children}</span>}
      </dd>
    </div>
  );
}

function compare(now: number, before: number, weeks: number): string {
  if (before === 0) return t('nothing_the_count_weeks_before', { count: weeks });
  const percent = Math.round((now / before - 1) * 100);
  if (percent === 0) return t('as_the_count_weeks_before', { count: weeks });
  return t('percent_percent_on_the_count_weeks_before', {
    percent: toSigned(percent),
    count: weeks,
  });
}
