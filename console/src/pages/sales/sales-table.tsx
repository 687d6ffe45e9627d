import type { Sales, SalesRow } from '#sdk';
import { METHOD_WORDS, SERVICE_WORDS } from '../../text/code-words.js';
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
    counted === 'units' ? t('units') : by === 'method' ? t('payments') : t('orders'),
    ...(hasApart ? [t('cancelled_orders'), t('rejected_orders')] : []),
    t('takings'),
  ];
  return (
    <Table columns={columns} isLastNumber>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
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

function keyOf({ day, hour, weekday, status, service, source, method, external_id: id, rest }: SalesRow) {
  return day ?? hour ?? weekday ?? status ?? service ?? source ?? method ?? id ?? rest ?? '';
}

export function toLabel(row: SalesRow): string {
  const { day, hour, weekday, status, service, source, method, name, external_id: id, rest } = row;
  if (service !== undefined) return SERVICE_WORDS[service];
  if (method !== undefined) return METHOD_WORDS[method];
  if (source !== undefined) return source;
  if (rest !== undefined) return t('and_count_more', { count: rest });
  if (day !== undefined) return toDay(day);
  if (hour !== undefined) return toHourName(hour);
  if (status !== undefined) return STATUS_WORDS[status];
  if (weekday !== undefined) return WEEKDAY_WORDS[weekday] ?? weekday;
  return toText(name) || (id ?? t(row.units === undefined ? 'not_stated' : 'without_a_name'));
}
