import { toCount, toMoney } from '../../parts/format.js';

export interface Hour {
  readonly hour: number;
  readonly orders: number;
  readonly takings: number;
}

const WIDTH = 720;
const HEIGHT = 160;
const FLOOR = 132;
const SLOT = WIDTH / 24;

/** Takings by hour as bars; the same numbers are in a table for those who do not see them. */
export function HourChart({
  hours,
  currency,
}: {
  readonly hours: readonly Hour[];
  readonly currency: string | undefined;
}) {
  const most = Math.max(...hours.map(({ takings }) => takings), 1);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label="Takings by hour; the numbers follow in a table"
      >
        <line x1="0" y1={FLOOR + 0.5} x2={WIDTH} y2={FLOOR + 0.5} class="chart-floor" />
        {hours.map(({ hour, orders, takings }) => {
          const height = Math.round((takings / most) * (FLOOR - 8));
          return (
            <g key={hour}>
              <title>
                {hourName(hour)}: {toCount(orders, 'order')}, {toMoney(takings, currency)}
              </title>
              <rect class="chart-slot" x={hour * SLOT} y="0" width={SLOT} height={FLOOR} />
              <rect
                class="chart-bar"
                x={hour * SLOT + 4}
                y={FLOOR - height}
                width={SLOT - 8}
                height={height}
                rx="4"
              />
              {hour % 3 === 0 && (
                <text class="chart-label" x={hour * SLOT + SLOT / 2} y={HEIGHT - 8} text-anchor="middle">
                  {String(hour).padStart(2, '0')}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <table class="hidden-label">
        <caption>Takings by hour</caption>
        <thead>
          <tr>
            <th scope="col">Hour</th>
            <th scope="col">Orders</th>
            <th scope="col">Takings</th>
          </tr>
        </thead>
        <tbody>
          {hours
            .filter(({ orders }) => orders > 0)
            .map(({ hour, orders, takings }) => (
              <tr key={hour}>
                <th scope="row">{hourName(hour)}</th>
                <td>{orders}</td>
                <td>{toMoney(takings, currency)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  );
}

function hourName(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
