import type { ManagedStore } from '#sdk';
import { Changes } from '../../menu-changes/changes.js';
import { isEmptyDiff, toChanges } from '../../menu-changes/to-changes.js';
import { Busy } from '../../parts/busy.js';
import { Empty } from '../../parts/empty.js';
import { toCount } from '../../parts/format.js';
import { Icon } from '../../parts/icon.js';
import { say } from '../../parts/toasts.js';
import { Trouble } from '../../parts/trouble.js';
import { useTask } from '../../parts/use-task.js';
import { navigate, toHref } from '../../router.js';
import { publish, type Comparison } from './compare-menu.js';
import { FaultPlaces } from './faulty-file.js';

interface ComparedProps extends Comparison {
  readonly store: ManagedStore;
}

/** What publishing would change, and the button that does it. */
export function Compared({ store, ...comparison }: ComparedProps) {
  const { name, check, warnings, before, after } = comparison;
  const { isBusy, error, run } = useTask();
  if (check.is_current || isEmptyDiff(check.diff))
    return (
      <Empty icon="check" title="This is the current menu already">
        <p>
          <bdi>{name}</bdi> holds exactly what is published; there is nothing to do.
        </p>
      </Empty>
    );
  const publishIt = async () => {
    await publish(store.id, comparison);
    say('The menu is published');
    navigate(toHref(`/stores/${store.id}/menu`));
  };
  const { items, categories } = check.counts;
  return (
    <section class="stack" aria-label="What publishing changes">
      <div class="notice good">
        <Icon name="check" />
        <div>
          <bdi>{name}</bdi> has no faults: {toCount(items, 'item')} in{' '}
          {toCount(categories, 'category', 'categories')}. Nothing has been published yet.
        </div>
        <button type="button" class="button primary" disabled={isBusy.value} onClick={() => run(publishIt)}>
          Publish
        </button>
      </div>
      {isBusy.value && <Busy>{`Publishing ${name}`}</Busy>}
      {error.value !== undefined && <Trouble error={error.value} />}
      {warnings.length > 0 && (
        <details class="panel warnings">
          <summary>{toCount(check.warning_count, 'thing')} in it may not be meant</summary>
          <FaultPlaces faults={warnings} />
        </details>
      )}
      <Changes
        diff={check.diff}
        changes={toChanges(check.diff, before, after, store.currency)}
        beforeTitle={check.current_version === 0 ? 'Now' : `Now (version ${check.current_version})`}
        afterTitle="In the file"
      />
    </section>
  );
}
