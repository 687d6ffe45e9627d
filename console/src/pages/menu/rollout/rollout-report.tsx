import type { ManagedStore, MenuPublication, MenuPublicationStore } from '#sdk';
import { timezoneOf } from '../../../data/stores.js';
import { toDateTime } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { Icon } from '../../../ui/icon.js';
import { describeCounts } from '../changes/changes.js';

interface ReportProps {
  readonly publication: MenuPublication;
  readonly names: ReadonlyMap<string, string>;
  readonly store: ManagedStore;
}

/** What a publication has done in each store, or when it will. */
export function Report({ publication, names, store }: ReportProps) {
  const { status, at, stores: done } = publication;
  if (status === 'scheduled')
    return (
      <p class="notice good" role="status">
        <Icon name="clock" />
        <span>
          {t('scheduled_for_time_in_count_stores', {
            time: at === undefined ? t('later') : toDateTime(at, timezoneOf(store)),
            count: done.length,
          })}{' '}
          {t('it_is_listed_under_menu_versions')}
        </span>
      </p>
    );
  return (
    <section class="panel stack" aria-label={t('what_was_published')} role="status">
      <ul class="rows">
        {done.map((one) => (
          <li key={one.store_id}>
            <bdi>{names.get(one.store_id) ?? one.store_id}</bdi>
            <span>{describeResult(one)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a publication would change in a store. */
export function describeChange({ result, counts, detail }: MenuPublicationStore): string {
  if (result === 'unchanged') return t('nothing_it_has_this_menu_already');
  if (result !== 'published') return detail ?? RESULT_WORDS[result ?? 'refused'];
  return describeCounts(counts ?? {});
}

function describeResult({ result, version, detail }: MenuPublicationStore): string {
  if (result === undefined) return t('still_under_way');
  if (result === 'published') return t('published_as_version_version', { version: String(version ?? '') });
  return detail === undefined ? RESULT_WORDS[result] : `${RESULT_WORDS[result]}: ${detail}`;
}

const RESULT_WORDS = {
  published: t('published_inline'),
  unchanged: t('had_this_menu_already'),
  refused: t('refused'),
  changed_since: t('left_alone_someone_else_has_published'),
  gone: t('the_store_is_gone'),
} as const;
