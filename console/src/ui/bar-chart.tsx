import { t } from '../text/t.js';
import { toMoney } from '../text/format.js';

export interface Bar {
  readonly name: string;
  /** What stands below it, where there is room for it. */
  readonly tick?: string | undefined;
  readonly orders: number;
  readonly takings: number;
  /** The takings that it is compared with, as a line behind it. */
  readonly before?: number | undefined;
}

interface BarChartProps {
  readonly title: string;
  /** What a bar is: `Hour`. */
  readonly unit: string;
  readonly bars: readonly Bar[];
  readonly currency: string | undefined;
}

const WIDTH = 720;
const HEIGHT = 160;
const FLOOR = 132;

/** Takings as bars; the same numbers are in a table for those who do not see them. */
export function BarChart({ title, unit, bars, currency }: BarChartProps) {
  const most = Math.max(...bars.flatMap(({ takings, before = 0 }) => [takings, before]), 1);
  const slot = WIDTH / Math.max(bars.length, 1);
  const gap = Math.min(4, slot / 6);
  const heightOf = (takings: number) => Math.max(0, Math.round((takings / most) * (FLOOR - 8)));
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t('title_the_numbers_follow_in_a_table', { title })}
      >
        <line x1="0" y1={FLOOR + 0.5} x2={WIDTH} y2={FLOOR + 0.5} class="chart-floor" />
        {bars.map(({ name, tick, orders, takings, before }, i) => (
          <g key={name}>
            <title>
              {before === undefined
                ? t('name_count_orders_takings', {
                    name,
                    count: orders,
                    takings: toMoney(takings, currency),
                  })
                : t('name_count_orders_takings_before_before', {
                    name,
                    count: orders,
                    takings: toMoney(takings, currency),
                    before: toMoney(before, currency),
                  })}
            </title>
            <rect class="chart-slot" x={i * slot} y="0" width={slot} height={FLOOR} />
            <rect
              class="chart-bar"
              x={i * slot + gap}
              y={FLOOR - heightOf(takings)}
              width={slot - 2 * gap}
              height={heightOf(takings)}
              rx={gap}
            />
            {before !== undefined && (
              <line
                class="chart-before"
                x1={i * slot + gap / 2}
                x2={(i + 1) * slot - gap / 2}
                y1={FLOOR - heightOf(before)}
                y2={FLOOR - heightOf(before)}
              />
            )}
            {tick !== undefined && (
              <text class="chart-label" x={(i + 0.5) * slot} y={HEIGHT - 8} text-anchor="middle">
                {tick}
              </text>
            )}
          </g>
        ))}
      </svg>
      <div class="hidden-label">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col">{t('orders')}</th>
              <th scope="col">{t('takings')}</th>
            </tr>
          </thead>
          <tbody>
            {bars
              .filter(({ orders }) => orders > 0)
              .map(({ name, orders, takings }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{orders}</td>
                  <td>{toMoney(takings, currency)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** `14:00` */
export function toHourName(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

interface HourRow {
  readonly hour?: number | undefined;
  readonly orders?: number | undefined;
  readonly price: number;
  readonly tax: number;
}

/** Hours of the day, every third with its number. */
export function toHourBars(rows: readonly HourRow[]): Bar[] {
  return rows.map(({ hour = 0, orders = 0, price, tax }) => ({
    name: toHourName(hour),
    tick: hour % 3 === 0 ? String(hour).padStart(2, '0') : undefined,
    orders,
    takings: price + tax,
  }));
}
