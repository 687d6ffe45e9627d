import { useSignal } from '@preact/signals';
import type { ManagedStore, MenuVersion, MenuVersionList } from '#sdk';
import { client, may } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Trouble, useLoad, useTask, WhenLoaded } from '../../../ui/loading.js';
import { Empty, Table } from '../../../ui/table.js';
import { toAgo, toDateTime } from '../../../text/format.js';
import { now } from '../../../ui/now.js';
import { useTitle } from '../../../ui/use-title.js';
import { toHref } from '../../../app/router.js';
import { nameOf, timezoneOf } from '../../../data/stores.js';
import { whoOf } from '../../../data/key-names.js';
import { Scheduled } from './scheduled.js';

const PAGE = 50;

/** Every menu that the store has ever had. */
export function VersionsPage({ store }: { readonly store: ManagedStore }) {
  const loaded = useLoad(
    (signal) => client.listMenuVersions(store.id, { limit: PAGE }, { signal }),
    [store.id],
  );
  const hasMore = useSignal(true);
  const more = useTask();
  useTitle(t('menu_versions'), nameOf(store));
  const loadMore = async (list: MenuVersionList) => {
    const { versions } = await client.listMenuVersions(store.id, {
      limit: PAGE,
      before: list.versions.at(-1)?.version,
    });
    hasMore.value = versions.length === PAGE;
    loaded.set({ ...list, versions: [...list.versions, ...versions] });
  };
  return (
    <>
      <header>
        <h1>{t('menu_versions')}</h1>
        {may('menu:write') && (
          <a class="button primary" href={toHref(`/stores/${store.id}/publish`)}>
            {t('publish_a_menu')}
          </a>
        )}
      </header>
      {may('menu:write') && <Scheduled store={store} />}
      <WhenLoaded of={loaded} busy={t('reading_the_versions')}>
        {(list) =>
          list.versions.length === 0 ? (
            <Empty icon="versions" title={t('no_menu_has_been_published_yet')}>
              <p>{t('each_publication_is_kept_as_a')}</p>
            </Empty>
          ) : (
            <>
              <VersionTable store={store} versions={list.versions} current={list.current_version} />
              <Trouble error={more.error.value} />
              {hasMore.value && list.versions.length >= PAGE && (
                <Button disabled={more.isBusy.value} onClick={() => more.run(() => loadMore(list))}>
                  {t('show_older_ones')}
                </Button>
              )}
            </>
          )
        }
      </WhenLoaded>
    </>
  );
}

interface VersionTableProps {
  readonly store: ManagedStore;
  readonly versions: readonly MenuVersion[];
  readonly current: number;
}

function VersionTable({ store, versions, current }: VersionTableProps) {
  const titleOf = ({ version }: MenuVersion) => t('version_number', { version: String(version) });
  const compare = (version: MenuVersion, before: number, action: string) => (
    <a
      class="button"
      href={toHref(`/stores/${store.id}/versions/${before}/${version.version}`)}
      aria-label={t('action_name', { action, name: titleOf(version) })}
    >
      {action}
    </a>
  );
  return (
    <Table columns={[t('version'), t('published'), t('by_whom'), t('holds'), t('what_differs')]}>
      {versions.map((version) => (
        <tr key={version.version}>
          <td class="lead">
            <span class="row">
              {titleOf(version)}
              {version.version === current && <span class="badge ready">{t('current')}</span>}
            </span>
            {version.restored_from !== undefined && (
              <div class="small soft">
                {t('version_version_again', { version: String(version.restored_from) })}
              </div>
            )}
          </td>
          <td data-label={t('published')}>
            <div>
              {toDateTime(version.published_at, timezoneOf(store))}
              <div class="small soft">{toAgo(version.published_at, now.peek())}</div>
            </div>
          </td>
          <td data-label={t('by_whom')}>
            <bdi>{whoOf(version.key_id)}</bdi>
          </td>
          <td data-label={t('holds')} class="soft">
            {t('items_in_categories', {
              items: t('count_items', { count: version.counts.items }),
              categories: t('count_categories', { count: version.counts.categories }),
            })}
          </td>
          <td class="bare">
            <span class="row">
              {version.version > 1 && compare(version, version.version - 1, t('compare_with_the_one_before'))}
              {version.version !== current &&
                compare(
                  version,
                  current,
                  may('menu:write')
                    ? t('compare_with_the_current_one_restore')
                    : t('compare_with_the_current_one'),
                )}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}
