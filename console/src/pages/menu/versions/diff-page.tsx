import type { ManagedStore } from '#sdk';
import { client, may } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { Changes } from '../changes/changes.js';
import { isEmptyDiff, toChanges } from '../changes/to-changes.js';
import { Button } from '../../../ui/button.js';
import { Empty } from '../../../ui/table.js';
import { Icon } from '../../../ui/icon.js';
import { say } from '../../../ui/toasts.js';
import { Trouble, WhenLoaded, useLoad, useTask } from '../../../ui/loading.js';
import { useTitle } from '../../../ui/use-title.js';
import { navigate, toHref } from '../../../app/router.js';
import { nameOf } from '../../../data/stores.js';

interface DiffPageProps {
  readonly store: ManagedStore;
  readonly from: number;
  readonly to: number;
}

/** Two versions side by side; an older one can be published again from here, never unseen. */
export function DiffPage({ store, from, to }: DiffPageProps) {
  const loaded = useLoad(
    async (signal) => {
      const [diff, before, after, { current_version: current }] = await Promise.all([
        client.diffMenuVersions(store.id, from, to, { signal }),
        client.getMenuVersion(store.id, from, { signal }),
        client.getMenuVersion(store.id, to, { signal }),
        client.listMenuVersions(store.id, { limit: 1 }, { signal }),
      ]);
      return { diff, changes: toChanges(diff, before, after, store.currency), current };
    },
    [store.id, from, to],
  );
  useTitle(t('versions_from_and_to', { from: String(from), to: String(to) }), nameOf(store));
  return (
    <>
      <header>
        <div>
          <a href={toHref(`/stores/${store.id}/versions`)} class="row small">
            <Icon name="left" />
            {t('all_versions')}
          </a>
          <h1>{t('from_version_from_to_version_to', { from: String(from), to: String(to) })}</h1>
        </div>
        <a class="button" href={toHref(`/stores/${store.id}/versions/${to}/${from}`)}>
          <Icon name="swap" />
          {t('the_other_way_round')}
        </a>
      </header>
      <WhenLoaded of={loaded} busy={t('comparing_the_versions')}>
        {({ diff, changes, current }) =>
          isEmptyDiff(diff) ? (
            <Empty icon="check" title={t('the_two_are_the_same')} />
          ) : (
            <>
              {current === from && to !== from && may('menu:write') && (
                <Restore store={store} version={to} current={from} />
              )}
              <Changes
                diff={diff}
                changes={changes}
                beforeTitle={t('version_number', { version: String(from) })}
                afterTitle={t('version_number', { version: String(to) })}
              />
            </>
          )
        }
      </WhenLoaded>
    </>
  );
}

interface RestoreProps {
  readonly store: ManagedStore;
  readonly version: number;
  readonly current: number;
}

function Restore({ store, version, current }: RestoreProps) {
  const { isBusy, error, run } = useTask();
  const restore = async () => {
    const { version: made } = await client.restoreMenuVersion(store.id, version, { expect: current });
    say(
      t('version_version_is_on_the_menu', {
        version: String(version),
        made: String(made),
      }),
    );
    navigate(toHref(`/stores/${store.id}/versions`));
  };
  return (
    <div class="stack">
      <div class="notice calm">
        <Icon name="versions" />
        <div>{t('restoring_version_version_changes_the_menu', { version: String(version) })}</div>
        <Button look="primary" disabled={isBusy.value} onClick={() => run(restore)}>
          {isBusy.value ? t('restoring') : t('restore_version_version', { version: String(version) })}
        </Button>
      </div>
      <Trouble error={error.value} />
    </div>
  );
}
