import type { MenuConfigurationRequest, MenuDiff, MenuWarning } from '#sdk';
import { toText, toList, toRate } from '../../../text/format.js';
import { locale, t } from '../../../text/t.js';
import { Icon } from '../../../ui/icon.js';
import { Notice } from '../../../ui/notice.js';
import type { RateChange } from './to-changes.js';

type PricedKind = 'item' | 'modifier_item';
/** What an entity is called. */
export type NameOf = (kind: PricedKind, id: string) => string;

/** Prices that are probably a slip: they are said above everything else. */
export function OddPrices({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div class="notice" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{t('check_these_prices')}</strong>
        <ul>
          {texts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Without amounts, so it holds with and without tax; undefined for any other warning. */
export function describeOddPrice({ type, ctx = {}, loc }: MenuWarning, nameOf: NameOf): string | undefined {
  const { external_id: id, before, after, price, median } = ctx;
  const name = nameOf(kindOf({ ctx, loc }), String(id));
  const times = (over: unknown, under: unknown) =>
    (Number(over) / Number(under)).toLocaleString(locale(), { maximumSignificantDigits: 2 });
  if (id === undefined) return undefined;
  if (type === 'price_jump')
    return Math.abs(Number(after)) < Math.abs(Number(before))
      ? t('name_price_falls_to_share', { name, share: toShare(Number(after) / Number(before)) })
      : t('name_price_becomes_factor_times', { name, factor: times(after, before) });
  if (type === 'price_outlier')
    return t('name_costs_factor_times_its_category', { name, factor: times(price, median) });
  return undefined;
}

function toShare(share: number): string {
  return share.toLocaleString(locale(), { style: 'percent', maximumSignificantDigits: 2 });
}

/** Those of a file, which has a whole menu: what it leaves as it was is not odd. */
export function oddPricesOf(
  warnings: readonly MenuWarning[],
  diff: MenuDiff,
  { items, modifier_items: options }: MenuConfigurationRequest,
): string[] {
  const lists = { item: items, modifier_item: options ?? [] };
  const nameOf: NameOf = (kind, id) =>
    toText(lists[kind].find(({ external_id: own }) => own === id)?.name) || id;
  return warnings.flatMap((warning) => {
    const { added, changed } = diff[kindOf(warning) === 'item' ? 'items' : 'modifier_items'];
    const id = String(warning.ctx?.['external_id']);
    const isOfFile = added.includes(id) || changed.some(({ external_id: own }) => own === id);
    return isOfFile ? (describeOddPrice(warning, nameOf) ?? []) : [];
  });
}

function kindOf({ ctx = {}, loc }: Pick<MenuWarning, 'ctx' | 'loc'>): PricedKind {
  return ctx['kind'] === 'modifier_item' || loc[1] === 'modifier_items' ? 'modifier_item' : 'item';
}

const MOST_NAMES = 5;

/** Another tax rate is seldom meant: it is said above everything else. */
export function RateChanges({ changes }: { readonly changes: readonly RateChange[] }) {
  const byRates = new Map<string, RateChange[]>();
  for (const change of changes) {
    const rates = t('rate_before_to_after', { before: toRate(change.before), after: toRate(change.after) });
    byRates.set(rates, [...(byRates.get(rates) ?? []), change]);
  }
  return (
    <>
      {[...byRates].map(([rates, changed]) => (
        <Notice key={rates} role="alert">
          <strong>{t('tax_rate_changes', { rates })}</strong>{' '}
          <bdi>{toList(changed.slice(0, MOST_NAMES).map(({ name }) => name))}</bdi>
          {changed.length > MOST_NAMES && ` ${t('and_count_more', { count: changed.length - MOST_NAMES })}`}
        </Notice>
      ))}
    </>
  );
}
