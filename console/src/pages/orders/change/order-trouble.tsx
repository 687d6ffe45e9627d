import { ApiError, type ErrorDetail } from '#sdk';
import { shownName, readLines } from '../../../../../src/orders/lines.js';
import { toDateTime } from '../../../text/format.js';
import { language, t } from '../../../text/t.js';
import { Refusal, Trouble } from '../../../ui/loading.js';
import type { Sent } from './draft.js';

interface OrderTroubleProps {
  readonly error: unknown;
  /** The lines that were sent. */
  readonly items: readonly Sent[];
  readonly timezone: string;
}

type Refused = ErrorDetail & {
  readonly ctx?: { readonly left?: number; readonly next_at?: string; readonly latest?: string };
};

/** What was refused may stand further up than the screen shows. */
const show = (element: Element | null) => element?.scrollIntoView({ block: 'nearest' });

/** Why menu or kitchen refuse an order, by the names of its dishes; any other error as everywhere. */
export function OrderTrouble({ error, items, timezone }: OrderTroubleProps) {
  if (error === undefined) return null;
  const detail = error instanceof ApiError && Array.isArray(error.detail) ? error.detail : [];
  const lines = readLines(items);
  const toTime = (moment: string) => toDateTime(moment, timezone);
  const sentences = (detail as readonly Refused[]).map((error) => {
    const line = error.loc[1] === 'items' ? lines[Number(error.loc[2])] : undefined;
    const what =
      line === undefined
        ? ofOrder(error, toTime)
        : t('name_done', { name: shownName(line, language()) ?? '', done: ofLine(error) });
    const nextAt = error.ctx?.next_at;
    if (what === undefined || nextAt === undefined) return what;
    return `${what.replace(/\.$/, '')}. ${t('the_next_time_is_time', { time: toTime(nextAt) })}`;
  });
  if (sentences.length === 0 || sentences.includes(undefined)) return <Trouble error={error} />;
  return (
    <div ref={show}>
      <Refusal sentences={[...new Set(sentences)]} />
    </div>
  );
}

function ofLine({ type, ctx }: Refused): string {
  switch (type) {
    case 'sold_out':
      return (ctx?.left ?? 0) > 0 ? t('count_portions_left', { count: ctx?.left ?? 0 }) : t('sold_out');
    case 'unknown_item':
    case 'not_sold_separately':
      return t('no_longer_on_the_menu');
    case 'outside_hours':
      return t('not_served_at_this_time');
    case 'price_mismatch':
    case 'tax_mismatch':
      return t('its_price_has_changed');
    default:
      return t('its_choices_have_changed');
  }
}

function ofOrder({ type, ctx }: Refused, toTime: (moment: string) => string): string | undefined {
  switch (type) {
    case 'store_paused':
      return t('no_new_orders_are_taken');
    case 'store_closed':
      return t('the_store_is_closed_then');
    case 'too_early':
      return t('that_is_too_soon_for_the_kitchen');
    case 'slot_full':
      return t('the_kitchen_is_full_then');
    case 'too_late':
      return t('orders_are_taken_until_time_only', {
        time: ctx?.latest === undefined ? '' : toTime(ctx.latest),
      });
    default:
      return undefined;
  }
}
