import type { ManagedStore, Sales, SalesRow } from '#sdk';
import { formatAmount } from '../../../../src/menu-files/sheet/money.js';
import { formatCsv, markText } from '../../../../src/support/csv.js';
import { nameOf } from '../../data/stores.js';
import { decimalSign } from '../../text/format.js';
import { t } from '../../text/t.js';
import { saveFile } from '../../ui/save-file.js';
import { GROUPING_WORDS } from './period.js';
import { toLabel } from './sales-table.js';

type Sums = Pick<SalesRow, 'orders' | 'units' | 'price' | 'tax'>;
type Amounts = Pick<SalesRow, 'price' | 'tax'>;

/** The rows of the table as a spreadsheet of this computer expects them: what guests paid, and the tax in it. */
export function downloadCsv(store: ManagedStore, { by, from, to, rows, currency }: Sales): void {
  const sign = decimalSign();
  const counted = by === 'item' || by === 'category' ? 'units' : 'orders';
  const count = counted === 'units' ? t('units') : by === 'method' ? t('payments') : t('orders');
  const columnsOf = (words: string) => [count, t('price_with_tax'), t('tax')].map((one) => words + one);
  const grossOf = (sums: Amounts | undefined) =>
    formatAmount((sums?.price ?? 0) + (sums?.tax ?? 0), currency, sign);
  const figuresOf = (sums: Sums | undefined) => [
    String(sums?.[counted] ?? 0),
    grossOf(sums),
    formatAmount(sums?.tax ?? 0, currency, sign),
  ];
  const isApart = by !== 'status';
  const hasExtras = by === 'day' || by === 'weekday';
  const head = [
    GROUPING_WORDS[by],
    ...columnsOf(''),
    ...(isApart
      ? [...columnsOf(`${t('cancelled_orders')}: `), ...columnsOf(`${t('rejected_orders')}: `)]
      : []),
    ...(hasExtras ? [t('charges'), t('discounts'), t('tips')] : []),
    t('currency'),
  ];
  const lines = rows.map((row) => [
    markText(toLabel(row)),
    ...figuresOf(row),
    ...(isApart ? [...figuresOf(row.cancelled), ...figuresOf(row.rejected)] : []),
    ...(hasExtras
      ? [grossOf(row.charges), grossOf(row.discounts), formatAmount(row.tip ?? 0, currency, sign)]
      : []),
    currency ?? '',
  ]);
  const name = `${nameOf(store)} ${from} ${to} ${by}`.replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  saveFile(`${name}.csv`, 'text/csv', `\uFEFF${formatCsv([head, ...lines], sign === ',' ? ';' : ',')}`);
}
