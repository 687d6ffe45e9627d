import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { StoreOverview } from '#sdk';
import { place, toHref } from '../../app/router.js';
import { client } from '../../data/session.js';
import { nameOf } from '../../data/stores.js';
import { fold } from '../../text/fold.js';
import { toAgo } from '../../text/format.js';
import { t } from '../../text/t.js';
import { Empty, Table } from '../../ui/table.js';
import { now } from '../../ui/now.js';
import { InputField } from '../../ui/field.js';
import { WhenLoaded, useLoad } from '../../ui/loading.js';
import { useTitle } from '../../ui/use-title.js';

const READ_AGAIN_MS = 15_000;
const A_PAGE = 1_000;
/** More rows than anybody reads; the search finds the others. */
const MOST_ROWS = 200;

interface Tab {
  readonly label: string;
  readonly has: (store: StoreOverview) => boolean;
}

const TABS: Readonly<Record<string, Tab>> = {
  all: { label: t('all_stores_short'), has: () => true },
  waiting: { label: t('overview_waiting'), has: ({ waiting }) => waiting > 0 },
  late: { label: t('late'), has: ({ late }) => late > 0 },
  paused: { label: t('paused'), has: ({ state }) => state === 'paused' },
  webhooks: {
    label: t('overview_webhooks_failing'),
    has: ({ webhooks_failing: failing }) => failing > 0,
  },
  printers: {
    label: t('overview_printers_in_trouble'),
    has: ({ printers_in_trouble: troubled }) => troubled > 0,
  },
};

const STATES: Readonly<Record<StoreOverview['state'], string>> = {
  open: t('open_state'),
  busy: t('busy'),
  paused: t('paused'),
  closed: t('closed'),
};

/** Every store of the key, and which of them needs somebody now. */
export function OverviewPage() {
  const search = useSignal('');
  const loaded = useLoad(readAll, []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') loaded.reload();
    }, READ_AGAIN_MS);
    return () => clearInterval(timer);
  }, [loaded.reload]);
  useTitle(t('overview_title'), 'Comanda');
  const chosen = place.value.query.get('need') ?? 'all';
  const tab = TABS[chosen] ?? TABS['all'];
  const wanted = fold(search.value);
  return (
    <>
      <header>
        <h1>{t('overview_title')}</h1>
      </header>
      <WhenLoaded of={loaded} busy={t('reading_the_stores')}>
        {(stores) => {
          const shown = stores.filter(
            (store) => tab?.has(store) === true && fold(nameIn(store)).includes(wanted),
          );
          return (
            <>
              <nav class="tabs" aria-label={t('overview_title')}>
                {Object.entries(TABS).map(([need, { label, has }]) => (
                  <a
                    key={need}
                    class="tab"
                    href={toHref('/overview', { need: need === 'all' ? undefined : need })}
                    aria-current={need === chosen ? 'page' : undefined}
                  >
                    {`${label} (${stores.filter(has).length})`}
                  </a>
                ))}
              </nav>
              <InputField
                label={t('find_a_store')}
                hint={t('count_stores', { count: shown.length })}
                type="search"
                value={search.value}
                onInput={(event) => (search.value = event.currentTarget.value)}
              />
              {shown.length === 0 ? (
                <Empty icon="stores" title={t('overview_none')} />
              ) : (
                <Rows stores={shown} />
              )}
            </>
          );
        }}
      </WhenLoaded>
    </>
  );
}

async function readAll(signal: AbortSignal): Promise<StoreOverview[]> {
  const all: StoreOverview[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await client.getOverview(
      { limit: A_PAGE, ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    );
    all.push(...page.stores);
    if (!page.has_more) return all;
    cursor = page.cursor;
  }
}

function nameIn({ store_id: id, name }: StoreOverview): string {
  return nameOf({ id, name: { ...name } });
}

function Rows({ stores }: { readonly stores: readonly StoreOverview[] }) {
  const counts = [t('overview_waiting'), t('late'), t('overview_last_order')];
  const trouble = [t('overview_webhooks_failing'), t('overview_printers_in_trouble')];
  return (
    <>
      <Table columns={[t('store'), t('overview_state'), ...counts, ...trouble]}>
        {stores.slice(0, MOST_ROWS).map((store) => (
          <tr key={store.store_id}>
            <td class="lead">
              <a href={toHref(`/stores/${store.store_id}`)}>
                <bdi>{nameIn(store)}</bdi>
              </a>
            </td>
            <td data-label={t('overview_state')}>{STATES[store.state]}</td>
            <td data-label={t('overview_waiting')} class="number">
              {store.waiting}
            </td>
            <td data-label={t('late')} class="number">
              {store.late}
            </td>
            <td data-label={t('overview_last_order')}>
              {store.last_order_at === undefined ? '' : toAgo(store.last_order_at, now.value)}
            </td>
            <td data-label={t('overview_webhooks_failing')} class="number">
              {store.webhooks_failing}
            </td>
            <td data-label={t('overview_printers_in_trouble')} class="number">
              {store.printers_in_trouble}
            </td>
          </tr>
        ))}
      </Table>
      {stores.length > MOST_ROWS && <p class="soft">{t('overview_more_hidden', { count: MOST_ROWS })}</p>}
    </>
  );
}
