import type { ManagedStore } from '#sdk';
import { t, tx } from '../../../text/t.js';
import { Changes } from '../changes/changes.js';
import { OddPrices, RateChanges, oddPricesOf } from '../changes/price-notices.js';
import { isEmptyDiff, toChanges, toRateChanges } from '../changes/to-changes.js';
import { Button } from '../../../ui/button.js';
import { Busy, Trouble, useTask } from '../../../ui/loading.js';
import { Empty } from '../../../ui/table.js';
import { toMoney } from '../../../text/format.js';
import { Icon } from '../../../ui/icon.js';
import { Notice } from '../../../ui/notice.js';
import { say } from '../../../ui/toasts.js';
import { navigate, toHref } from '../../../app/router.js';
import { publish, type Comparison } from './compare-menu.js';
import { foreignCurrency } from './file-currency.js';
import { ErrorPositions } from './invalid-file.js';
import type { FileRemark } from './read-document.js';

/** What was guessed in reading the file, and what of it is lost. */
function Remarks({ remarks }: { readonly remarks: readonly FileRemark[] }) {
  const losses = remarks.filter(({ place }) => place !== undefined);
  return (
    <>
      {remarks
        .filter(({ place }) => place === undefined)
        .map(wordsOf)
        .map((words) => (
          <Notice key={words}>{words}</Notice>
        ))}
      {losses.length > 0 && (
        <details class="panel warnings">
          <summary>
            {t('count_things_in_it_cannot_be', {
              count: losses.length,
            })}
          </summary>
          <ErrorPositions
            errors={losses.map((loss) => ({ message: `${loss.place ?? ''}: ${wordsOf(loss)}` }))}
          />
        </details>
      )}
    </>
  );
}

/** The worker that reads the file knows no language. */
function wordsOf({ message }: FileRemark): string {
  if (typeof message === 'string') return message;
  if ('system' in message) return t('converted_from_a_menu_of_system', { system: message.system });
  return t('its_prices_are_in_theirs_and', { ...message });
}

interface ComparedProps extends Comparison {
  readonly store: ManagedStore;
}

/** What publishing would change, and the button that does it. */
export function Compared({ store, ...comparison }: ComparedProps) {
  const { name, check, warnings, remarks, before, after } = comparison;
  const { isBusy, error, run } = useTask();
  if (check.is_current || isEmptyDiff(check.diff))
    return (
      <Empty icon="check" title={t('this_is_the_current_menu_already')}>
        <p>
          {tx('name_holds_exactly_what_is_published', {
            name: <bdi>{name}</bdi>,
          })}
        </p>
      </Empty>
    );
  const publishIt = async () => {
    await publish(store.id, comparison);
    say(t('the_menu_is_published'));
    navigate(toHref(`/stores/${store.id}/menu`));
  };
  const { items, categories } = check.counts;
  const foreign = foreignCurrency(name, store.currency);
  return (
    <section class="stack" aria-label={t('what_publishing_changes')}>
      <OddPrices texts={oddPricesOf(check.warnings, check.diff, after)} />
      <div class="notice good">
        <Icon name="check" />
        <div>
          {tx('name_has_no_errors_items_in', {
            name: <bdi>{name}</bdi>,
            items: t('count_items', { count: items }),
            categories: t('count_categories', { count: categories }),
          })}
        </div>
        <Button look="primary" disabled={isBusy.value} onClick={() => run(publishIt)}>
          {t('publish')}
        </Button>
      </div>
      {isBusy.value && <Busy>{t('publishing_name', { name })}</Busy>}
      <Trouble error={error.value} />
      {foreign !== undefined && (
        <Notice role="alert">
          {t('the_prices_in_this_file_are', {
            theirs: foreign,
            ours: store.currency ?? '',
            amount: toMoney(1290, foreign),
            same: toMoney(1290, store.currency),
          })}
        </Notice>
      )}
      <RateChanges changes={toRateChanges(check.diff, before, after)} />
      <Remarks remarks={remarks} />
      {warnings.length > 0 && (
        <details class="panel warnings">
          <summary>
            {t('count_things_in_it_may_not', {
              count: check.warning_count,
            })}
          </summary>
          <ErrorPositions errors={warnings} />
        </details>
      )}
      <Changes
        diff={check.diff}
        changes={toChanges(check.diff, before, after, store.currency)}
        beforeTitle={
          check.current_version === 0
            ? t('now')
            : t('now_version_version', { version: String(check.current_version) })
        }
        afterTitle={t('in_the_file')}
      />
    </section>
  );
}
