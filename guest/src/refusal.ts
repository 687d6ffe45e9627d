import type { ErrorDetail, Refused } from './api.js';
import { t } from './language.js';
import { time } from './place.js';

/** What a refusal means for the guest: a sentence for the whole order, sentences for its lines, and a way on. */
export interface Refusal {
  readonly message: string;
  /** By the line's position in the order. */
  readonly ofLines: Readonly<Record<number, string>>;
  /** A time for which the kitchen would take it. */
  readonly nextAt?: string;
}

/** Whether sending the same again may help: the service, or what stands before it, is out of order. */
export function isPassing({ status }: Refused): boolean {
  return status >= 500 || status === 408;
}

/** `nameOf` finds what the menu calls the modifier at a place in the order. */
export function explain(refused: Refused, nameOf: (error: ErrorDetail) => string | undefined): Refusal {
  const { status, errors, retryAfterSeconds = 60 } = refused;
  if (status === 404) return whole(t('place_not_found_hint'));
  if (status === 429)
    return whole(t('too_many_requests', { time: time(Date.now() + retryAfterSeconds * 1000) }));
  const ofLines: Record<number, string> = {};
  for (const error of errors) {
    const [, list, i] = error.loc;
    if (list === 'items' && typeof i === 'number') ofLines[i] ??= explainLine(error, nameOf(error));
  }
  const [first] = errors.filter(({ loc }) => loc[1] !== 'items' || typeof loc[2] !== 'number');
  if (first !== undefined) return { ...explainWhole(first), ofLines };
  return { message: t(errors.length === 0 ? 'not_taken' : 'fix_lines'), ofLines };
}

function whole(message: string): Refusal {
  return { message, ofLines: {} };
}

function explainWhole({ type, loc, ctx }: ErrorDetail): Omit<Refusal, 'ofLines'> {
  const nextAt = ctx?.next_at;
  const next = nextAt === undefined ? '' : ` ${t('next_time', { time: time(nextAt) })}`;
  switch (type) {
    case 'store_paused':
      return { message: t('paused') + next };
    case 'store_closed':
      return { message: t('closed') + next };
    case 'too_early':
    case 'slot_full':
      return { message: t(type) + next, ...(nextAt === undefined ? {} : { nextAt }) };
    case 'too_late':
      return { message: t('too_late', { time: ctx?.latest === undefined ? '' : time(ctx.latest) }) };
    case 'too_long':
      return { message: t('too_many_lines') };
    default:
      if (loc.includes('name')) return { message: t('name_missing') };
      if (loc.includes('phone')) return { message: t('phone_missing') };
      return { message: t('not_taken') };
  }
}

function explainLine({ type, ctx, loc }: ErrorDetail, name: string | undefined): string {
  switch (type) {
    case 'sold_out':
      if (ctx?.left !== undefined && ctx.left > 0) return t('only_left', { count: ctx.left });
      return loc.includes('modifiers') && name !== undefined ? t('name_sold_out', { name }) : t('sold_out');
    case 'unknown_item':
    case 'not_sold_separately':
      return t('not_on_menu');
    case 'outside_hours':
      return ctx?.next_at === undefined
        ? t('not_served_now')
        : t('not_served_until', { time: time(ctx.next_at) });
    default:
      return t('choose_again');
  }
}
