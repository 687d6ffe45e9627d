import type { ManagedStore, Sales } from '#sdk';
import { client } from '../../data/session.js';
import { locale, t } from '../../text/t.js';
import { areOrders, useChanges, type LiveStore } from '../../data/live/live-store.js';
import { Button } from '../../ui/button.js';
import { BarChart, toHourBars, type Bar } from '../../ui/bar-chart.js';
import { toMoney } from '../../text/format.js';
import { sayError } from '../../ui/toasts.js';
import { WhenLoaded, useLoad } from '../../ui/loading.js';
import { useTitle } from '../../ui/use-title.js';
import { place } from '../../app/router.js';
import { nameOf, timezoneOf } from '../../data/stores.js';
import { downloadCsv } from './download-csv.js';
import { PeriodForm } from './period-form.js';
import {
  BY_WORDS,
  GROUPING_WORDS,
  periodBefore,
  readPeriod,
  TAKINGS_BY_WORDS,
  WEEKDAY_TICKS,
  weeksBack,
  type Period,
} from './period.js';
import { SalesFigures } from './sales-figures.js';
import { SalesTable, toLabel } from './sales-table.js';
import './sales.css';

const TOP_ITEMS = 10;

interface SalesPageProps {
  readonly store: ManagedStore;
  readonly live: LiveStore;
}

/** What the store has sold in a period, compared with the weeks before it. */
export function SalesPage({ store, live }: SalesPageProps) {
  const period = readPeriod(place.value.query, timezoneOf(store));
  const { from, to, by } = period;
  const isBackwards = to < from;
  useTitle(t('sales'), nameOf(store));
  return (
    <>
      <header>
        <h1>{t('sales')}</h1>
        <Button
          icon="download"
          disabled={isBackwards}
          onClick={() =>
            void client
              .getSales(store.id, period)
              .then((sales) => downloadCsv(store, sales))
              .catch(sayError)
          }
        >
          {t('download_csv')}
        </Button>
      </header>
      <PeriodForm store={store} period={period} isBackwards={isBackwards} />
      {/* Figures of one period must not stand under the dates of another, not even for a moment. */}
      {!isBackwards && <PeriodSales key={`${from} ${to} ${by}`} store={store} live={live} period={period} />}
    </>
  );
}

function PeriodSales({ store, live, period }: SalesPageProps & { readonly period: Period }) {
  const { from, to, by } = period;
  const loaded = useLoad((signal) => readAll(store.id, period, signal), [store.id, from, to, by]);
  useChanges(live, loaded.reload, areOrders);
  const weeks = weeksBack(period);
  return (
    <WhenLoaded of={loaded} busy={t('adding_up_the_sales')}>
      {(read) => (
        <div class="stack">
          <section class="panel stack" aria-label={t('takings')}>
            <SalesFigures
              total={read.takings.total}
              before={read.before.total}
              weeks={weeks}
              currency={store.currency}
            />
            <BarChart {...chartOf(read.takings, read.before)} currency={store.currency} />
            <p class="soft small">
              {t('the_dashed_lines_are_the_count', {
                count: weeks,
              })}
            </p>
          </section>
          <div class="sales-parts">
            <section class="panel stack" aria-labelledby="sales-by">
              <h2 id="sales-by">{BY_WORDS[by]}</h2>
              <SalesTable sales={read.shown} />
            </section>
            <TopItems items={read.items} />
          </div>
        </div>
      )}
    </WhenLoaded>
  );
}

/** Bars are by hour on a single day and where hours are asked for, else by day or weekday. */
async function readAll(storeId: string, period: Period, signal: AbortSignal) {
  const read = ({ from, to }: Period, by: Sales['by']) =>
    client.getSales(storeId, { from, to, by }, { signal });
  const { by, from, to } = period;
  const bars = by === 'hour' || by === 'weekday' ? by : from === to ? 'hour' : 'day';
  const [takings, before, items, shown] = await Promise.all([
    read(period, bars),
    read(periodBefore(period), bars),
    read(period, 'item'),
    by === bars || by === 'item' ? undefined : read(period, by),
  ]);
  return { takings, before, items, shown: shown ?? (by === 'item' ? items : takings) };
}

function chartOf({ by, rows }: Sales, before: Sales): { title: string; unit: string; bars: Bar[] } {
  const every = Math.ceil(rows.length / 8);
  const bars =
    by === 'hour'
      ? toHourBars(rows)
      : rows.map((row, i) => ({
          name: toLabel(row),
          tick: i % every === 0 ? (toTick(row.day) ?? WEEKDAY_TICKS[row.weekday ?? '']) : undefined,
          orders: row.orders ?? 0,
          takings: row.price + row.tax,
        }));
  return {
    title: TAKINGS_BY_WORDS[by],
    unit: GROUPING_WORDS[by],
    bars: bars.map((bar, i) => {
      const row = before.rows[i];
      return { ...bar, before: row && row.price + row.tax };
    }),
  };
}

/** Below a bar: `12/24` or `24.12.`, as the staff write it. */
function toTick(day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  return new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', day: 'numeric', month: 'numeric' }).format(
    Date.parse(day),
  );
}

function TopItems({ items: { rows, currency } }: { readonly items: Sales }) {
  const top = rows.filter(({ units = 0 }) => units > 0).slice(0, TOP_ITEMS);
  const most = top[0]?.units ?? 1;
  return (
    <section class="panel stack" aria-labelledby="top-items">
      <h2 id="top-items">{t('top_items')}</h2>
      {top.length === 0 ? (
        <p class="soft">{t('nothing_was_sold_in_these_days')}</p>
      ) : (
        <ol class="rows top-items">
          {top.map((row) => (
            <li key={row.external_id ?? ''}>
              <bdi>{toLabel(row)}</bdi>
              <span class="number">
                {row.units} · {toMoney(row.price + row.tax, currency)}
              </span>
              <meter
                min={0}
                max={most}
                value={row.units ?? 0}
                aria-label={t('share_of_name', { name: toLabel(row) })}
              />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
