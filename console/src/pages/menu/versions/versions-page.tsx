import { useSignal } from '@preact/signals';
import type { ManagedStore, MenuVersion } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { Busy } from '../../../ui/spinner.js';
import { Empty } from '../../../ui/empty.js';
import { toAgo, toDateTime } from '../../../text/format.js';
import { now } from '../../../ui/now.js';
import { Table } from '../../../ui/table.js';
import { sayError } from '../../../ui/toasts.js';
import { Trouble } from '../../../ui/error-notice.js';
import { useLoad } from '../../../ui/use-load.js';
import { useTitle } from '../../../ui/use-title.js';
import { toHref } from '../../../app/router.js';
import { may } from '../../../data/session.js';
import { nameOf, timezoneOf } from '../../../data/stores.js';
import { whoOf } from '../../../data/key-names.js';
import { Scheduled } from './scheduled.js';

const PAGE = 50;

/** Every menu that the store has ever had. */
export function VersionsPage({ store }: { readonly store: ManagedStore }) {
  const { value, error, reload, set } = useLoad(
    (signal) => client.listMenuVersions(store.id, { limit: PAGE }, { signal }),
    [store.id],
  );
  const hasMore = useSignal(true);
  useTitle(t('Menu versions'), nameOf(store));
  const list = value.value;
  const loadMore = async () => {
    if (list === undefined) return;
    const { versions } = await client.listMenuVersions(store.id, {
      limit: PAGE,
      before: list.versions.at(-1)?.version,
    });
    hasMore.value = versions.length === PAGE;
    set({ ...list, versions: [...list.versions, ...versions] });
  };
  return (
    <>
      <header>
        <h1>{t('Menu versions')}</h1>
        {may('menu:write') && (
          <a class="button primary" href={toHref(`/stores/${store.id}/publish`)}>
            {t('Publish a menu')}
          </a>
        )}
      </header>
      {may('menu:write') && <Scheduled store={store} />}
      {error.value !== undefined && <Trouble error={error.value} retry={reload} />}
      {list === undefined ? (
        error.value === undefined && <Busy>{t('Reading the versions')}</Busy>
      ) : list.versions.length === 0 ? (
        <Empty icon="versions" title={t('No menu has been published yet')}>
          <p>
            {t(
              'Each publication is kept as a version that can be compared with any other and published again. Publish the first one from a JSON or YAML file.',
            )}
          </p>
        </Empty>
      ) : (
        <>
          <VersionTable store={store} versions={list.versions} current={list.current_version} />
          {hasMore.value && list.versions.length >= PAGE && (
            <button type="button" class="button" onClick={() => void loadMore().catch(sayError)}>
              {t('Show older ones')}
            </button>
          )}
        </>
      )}
    </>
  );
}

interface VersionTableProps {
  readonly store: ManagedStore;
  readonly versions: readonly MenuVersion[];
  readonly current: number;
}

function VersionTable({ store, versions, current }: VersionTableProps) {
  return (
    <Table columns={[t('Version'), t('Published'), t('By#whom'), t('Holds'), t('What differs')]}>
      {versions.map((version) => (
        <tr key={version.version}>
          <td class="lead">
            <span class="row">
              {t('Version {version}', { version: String(version.version) })}
              {version.version === current && <span class="badge ready">{t('Current')}</span>}
            </span>
            {version.restored_from !== undefined && (
              <div class="small soft">
                {t('Version {version} again', { version: String(version.restored_from) })}
              </div>
            )}
          </td>
          <td data-label={t('Published')}>
            <div>
              {toDateTime(version.published_at, timezoneOf(store))}
              <div class="small soft">{toAgo(version.published_at, now.peek())}</div>
            </div>
          </td>
          <td data-label={t('By#whom')}>
            <bdi>{whoOf(version.key_id)}</bdi>
          </td>
          <td data-label={t('Holds')} class="soft">
            {t('{items} in {categories}', {
              items: t('{count} item | {count} items', { count: version.counts.items }),
              categories: t('{count} category | {count} categories', { count: version.counts.categories }),
            })}
          </td>
          <td class="bare">
            <span class="row">
              {version.version > 1 && (
                <a class="button" href={diffHref(store, version.version - 1, version.version)}>
                  {t('Compare with the one before')}
                </a>
              )}
              {version.version !== current && (
                <a class="button" href={diffHref(store, current, version.version)}>
                  {may('menu:write')
                    ? t('Compare with the current one, restore')
                    : t('Compare with the current one')}
                </a>
              )}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function diffHref(store: ManagedStore, from: number, to: number): string {
  return toHref(`/stores/${store.id}/versions/${from}/${to}`);
}
