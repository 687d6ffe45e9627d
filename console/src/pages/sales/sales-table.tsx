import type { Sales, SalesRow } from '#sdk';
import { t } from '../../text/t.js';
import { toHourName } from '../../ui/bar-chart.js';
import { toMoney, toText } from '../../text/format.js';
import { STATUS_WORDS } from '../../ui/order-status.js';
import { Table } from '../../ui/table.js';
import { WEEKDAY_WORDS } from '../../ui/weekly-hours-fields.js';
import { GROUPING_WORDS, toDay } from './period.js';

/** The rows as they are named and counted; nothing is left out but what the service leaves out. */
export function SalesTable({ sales: { by, rows, currency } }: { readonly sales: Sales }) {
  const counted = by === 'item' || by === 'category' ? 'units' : 'orders';
  const hasApart = by !== 'status';
  const columns = [
    GROUPING_WORDS[by],
    counted === 'units' ? t('units') : t('orders'),
    ...(hasApart ? [t('cancelled_orders'), t('rejected_orders')] : []),
    t('takings'),
  ];
  return (
    <Table columns={columns} isLastNumber>
      {rows.map((row) => (
        <tr key={row.day ?? row.hour ?? row.weekday ?? row.status ?? row.external_id ?? row.rest ?? ''}>
          <td class="lead">
            <bdi>{toLabel(row)}</bdi>
          </td>
          <td data-label={columns[1]} class="number">
            {row[counted] ?? 0}
          </td>
          {hasApart && (
            <>
              <td data-label={t('cancelled_orders')} class="number">
                {row.cancelled?.[counted] ?? 0}
              </td>
              <td data-label={t('rejected_orders')} class="number">
                {row.rejected?.[counted] ?? 0}
              </td>
            </>
          )}
          <td data-label={t('takings')} class="number end">
            {toMoney(row.price + row.tax, currency)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function toLabel({ day, hour, weekday, status, name, external_id: id, rest }: SalesRow): string {
  if (rest !== undefined) return t('and_count_more', { count: rest });
  if (day !== undefined) return toDay(day);
  if (hour !== undefined) return toHourName(hour);
  if (status !== undefined) return STATUS_WORDS[status];
  if (weekday !== undefined) return WEEKDAY_WORDS[weekday] ?? weekday;
  return toText(name) || (id ?? t('without_a_name'));
}
