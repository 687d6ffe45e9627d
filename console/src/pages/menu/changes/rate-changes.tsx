import { t } from '../../../text/t.js';
import { toList, toRate } from '../../../text/format.js';
import { Notice } from '../../../ui/notice.js';
import type { RateChange } from './to-changes.js';

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
