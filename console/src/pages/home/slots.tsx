import type { Intake } from '#sdk';
import { t } from '../../text/t.js';
import { toClock } from '../../text/format.js';
import { toWall } from '../../../../src/calendar/wall-clock.js';

type Slot = NonNullable<Intake['slots']>[number];

const WIDTH = 720;
const HEIGHT = 160;
const FLOOR = 132;
/** A label needs this much room. */
const LABEL_WIDTH = 72;

interface SlotsProps {
  readonly intake: Intake;
  readonly slots: readonly Slot[];
  readonly timezone: string;
}

/** How full the slots of today are, as bars; the same numbers are in a table for those who do not see them. */
export function Slots({ intake, slots, timezone }: SlotsProps) {
  const dayOf = (moment: string) => toWall(Date.parse(moment), timezone).slice(0, 10);
  const wordsOf = ({ start, orders }: Slot) => ({ time: toClock(start, timezone), count: orders });
  const [first] = slots;
  if (first === undefined) return null;
  const today = slots.filter(({ start }) => dayOf(start) === dayOf(first.start));
  const width = WIDTH / today.length;
  const labelEvery = Math.ceil(LABEL_WIDTH / width);
  return (
    <section class="panel stack" aria-labelledby="slots">
      <h2 id="slots">{t('slots_of_today')}</h2>
      <figure class="chart">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t('how_full_each_slot_is_the')}>
          <line x1="0" y1={FLOOR + 0.5} x2={WIDTH} y2={FLOOR + 0.5} class="chart-floor" />
          {today.map((slot, i) => {
            const height = Math.round(fillOf(slot, intake) * (FLOOR - 8));
            return (
              <g key={slot.start}>
                <title>
                  {slot.full
                    ? t('time_count_orders_full', wordsOf(slot))
                    : t('time_count_orders', wordsOf(slot))}
                </title>
                <rect class="chart-slot" x={i * width} y="0" width={width} height={FLOOR} />
                <rect
                  class={slot.full ? 'chart-bar full' : 'chart-bar'}
                  x={i * width + width * 0.1}
                  y={FLOOR - height}
                  width={width * 0.8}
                  height={height}
                  rx="3"
                />
                {i % labelEvery === 0 && i * width + LABEL_WIDTH <= WIDTH && (
                  <text class="chart-label" x={i * width} y={HEIGHT - 8}>
                    {toClock(slot.start, timezone)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
        <div class="hidden-label">
          <table>
            <caption>{t('slots_of_today_with_orders')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('slot')}</th>
                <th scope="col">{t('orders')}</th>
                <th scope="col">{t('items')}</th>
                <th scope="col">{t('room_left_in_a_slot')}</th>
              </tr>
            </thead>
            <tbody>
              {today
                .filter(({ orders }) => orders > 0)
                .map(({ start, orders, items, full }) => (
                  <tr key={start}>
                    <th scope="row">{toClock(start, timezone)}</th>
                    <td>{orders}</td>
                    <td>{items}</td>
                    <td>{full ? t('full') : t('yes')}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </figure>
    </section>
  );
}

/** From 0 to 1: whatever is nearest to its limit. */
function fillOf(slot: Slot, { settings: { capacity } }: Intake): number {
  const part = (used: number, most: number | undefined) => (most === undefined ? 0 : used / most);
  return Math.min(
    1,
    Math.max(
      part(slot.orders, capacity?.orders),
      part(slot.items, capacity?.items),
      part(slot.prep_minutes, capacity?.prep_minutes),
    ),
  );
}
