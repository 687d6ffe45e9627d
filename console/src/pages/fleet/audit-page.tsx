import { useSignal } from '@preact/signals';
import type { AuditEntry } from '#sdk';
import { client } from '../../data/session.js';
import { whoOf } from '../../data/key-names.js';
import { knownStore, nameOfStore, stores } from '../../data/stores.js';
import { toDateTime, toMoney } from '../../text/format.js';
import { t } from '../../text/t.js';
import { Button } from '../../ui/button.js';
import { Empty, Table } from '../../ui/table.js';
import { Trouble, WhenLoaded, useLoad, useTask } from '../../ui/loading.js';
import { useTitle } from '../../ui/use-title.js';
import { auditWord, isTold, memberWord, valueWord } from './audit-words.js';

const A_PAGE = 100;

interface AuditPageProps {
  /** Only what concerns this store. */
  readonly store?: { readonly id: string; readonly timezone?: string | undefined } | undefined;
}

/** Who changed what, in one store or in all of them. */
export function AuditPage({ store }: AuditPageProps) {
  const read = (after: string | undefined, signal?: AbortSignal) =>
    client.listAudit(
      {
        limit: A_PAGE,
        ...(store === undefined ? {} : { store_id: store.id }),
        ...(after === undefined ? {} : { after }),
      },
      signal === undefined ? {} : { signal },
    );
  const loaded = useLoad((signal) => read(undefined, signal), [store?.id]);
  const { isBusy, error, run } = useTask();
  const title = t('audit_title');
  useTitle(title, store === undefined ? 'Comanda' : nameOfStore(store.id));
  return (
    <>
      <header>
        <h1>{title}</h1>
      </header>
      <WhenLoaded of={loaded} busy={t('audit_reading')}>
        {(page) =>
          page.entries.length === 0 ? (
            <Empty icon="versions" title={t('audit_none')} />
          ) : (
            <>
              <Entries entries={page.entries} store={store} />
              <Trouble error={error.value} />
              {page.has_more && (
                <Button
                  disabled={isBusy.value}
                  onClick={() =>
                    run(async () => {
                      const next = await read(page.cursor);
                      loaded.set({ ...next, entries: [...page.entries, ...next.entries] });
                    })
                  }
                >
                  {t('audit_older')}
                </Button>
              )}
            </>
          )
        }
      </WhenLoaded>
    </>
  );
}

function Entries({ entries, store }: AuditPageProps & { readonly entries: readonly AuditEntry[] }) {
  const columns = [t('audit_when'), t('audit_who'), t('audit_what')];
  const isWide = store === undefined;
  const timezone = store?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Table columns={[...columns, ...(isWide ? [t('store')] : []), t('audit_difference')]}>
      {entries.filter(isNews).map((entry) => (
        <tr key={entry.id}>
          <td data-label={t('audit_when')} class="number">
            {toDateTime(entry.at, timezone)}
          </td>
          <td data-label={t('audit_who')} class="unbroken">
            <bdi>{entry.label ?? whoOf(entry.key_id)}</bdi>
          </td>
          <td class="lead">
            {auditWord(entry.type)}
            <div class="small soft">
              <bdi>{subjectWord(entry)}</bdi>
            </div>
          </td>
          {isWide && (
            <td data-label={t('store')}>
              {entry.store_id !== undefined && <bdi>{nameOfStore(entry.store_id)}</bdi>}
            </td>
          )}
          <td data-label={t('audit_difference')}>
            <Difference entry={entry} timezone={timezone} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface DifferenceProps {
  readonly entry: AuditEntry;
  readonly timezone: string;
}

function Difference({ entry, timezone }: DifferenceProps) {
  const { before = {}, after = {}, store_id } = entry;
  const isOpen = useSignal(false);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isTold);
  if (names.length === 0) return null;
  const shown = isOpen.value ? names : names.slice(0, 5);
  const currency = store_id === undefined ? undefined : knownStore(store_id)?.currency;
  const told = (name: string, value: unknown) =>
    name === 'amount' && typeof value === 'number' ? toMoney(value, currency) : valueWord(value, timezone);
  return (
    <ul class="small">
      {shown.map((name) => (
        <li key={name}>
          <span class="soft">{memberWord(name)}:</span>{' '}
          {name in before && <bdi>{told(name, before[name])}</bdi>}
          {name in before && entry.after && <span class="sideways arrow">→</span>}
          {name in after ? <bdi>{told(name, after[name])}</bdi> : entry.after && t('nothing')}
        </li>
      ))}
      {shown.length < names.length && (
        <li>
          <Button look="quiet" onClick={() => (isOpen.value = true)}>
            {t('more')}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** A photo is set in two sizes, and told once. */
function isNews({ type, store_id, subject, after = {} }: AuditEntry, i: number, all: readonly AuditEntry[]) {
  if (type !== 'photo.set' || !('small' in after)) return true;
  const older = all
    .slice(i + 1)
    .find((one) => one.type === type && one.store_id === store_id && one.subject === subject);
  return !('photo' in (older?.after ?? {}));
}

/** Ids tell a reader nothing, but of what has no name. */
function subjectWord({ type, subject, key_id, store_id, before = {}, after = {} }: AuditEntry): string {
  if (type === 'menu.published') return t('version_inline', { version: subject });
  if (type.startsWith('backup.')) return '';
  if (/^(customers?|orders)\./.test(type) && subject !== store_id) return memberWord(subject);
  const isNamed = ['label', 'name', 'brand_name', 'number'].some((name) => name in before || name in after);
  if (isNamed || subject === key_id || subject === store_id) return '';
  const ofMerchant = stores.value?.find(({ merchant }) => merchant?.id === subject);
  return ofMerchant?.merchant?.brand_name ?? subject;
}
