import { Scheduled } from '../versions/scheduled.js';
import { useSignal, type Signal } from '@preact/signals';
import {
  ValidationError,
  type ManagedStore,
  type MenuPublication,
  type MenuPublicationCreate,
  type MenuPublicationStore,
} from '#sdk';
import { client, may } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Empty, Table } from '../../../ui/table.js';
import { Tick } from '../../../ui/field.js';
import { Icon } from '../../../ui/icon.js';
import { Busy, Trouble, WhenLoaded, useLoad, useTask } from '../../../ui/loading.js';
import { useTitle } from '../../../ui/use-title.js';
import { toHref } from '../../../app/router.js';
import { loadStores, nameOf, stores, storesError, timezoneOf } from '../../../data/stores.js';
import { fromWall } from '../../../../../src/calendar/wall-clock.js';
import { describeChange, Report } from './rollout-report.js';
import { canBePublishedAt, WhenField } from './when-field.js';

type Kept = NonNullable<MenuPublicationCreate['keep']>[number];

const KEPT: readonly (readonly [string, readonly Kept[]])[] = [
  [t('prices'), ['price', 'tax', 'price_change', 'tax_change']],
  [t('hours_of_menus'), ['availability']],
  [t('what_is_sold_out'), ['in_stock']],
  [t('minutes_to_prepare'), ['prep_time']],
];

/** More stores than a publication takes are not offered. */
const MOST_STORES = 200;

const READ_EVERY_MS = 1_000;
const MOST_READS = 60;

/** Publishes the menu of this store in others, at once or at a set time; first it shows what that changes in each. */
export function SendPage({ store }: { readonly store: ManagedStore }) {
  useTitle(t('send_to_other_stores'), nameOf(store));
  const others = (stores.value ?? [])
    .filter(({ id, merchant }) => id !== store.id && merchant?.id === store.merchant?.id)
    .slice(0, MOST_STORES)
    .map((other) => ({ id: other.id, name: nameOf(other) }));
  return (
    <>
      <header>
        <div>
          <a href={toHref(`/stores/${store.id}/menu`)} class="row small">
            <Icon name="left" />
            {t('menu')}
          </a>
          <h1>{t('send_to_other_stores')}</h1>
        </div>
      </header>
      {!may('menu:write') ? (
        <Empty icon="menu" title={t('this_key_may_not_change_a_menu')} />
      ) : storesError.value !== undefined ? (
        <Trouble error={storesError.value} retry={() => void loadStores()} />
      ) : stores.value === undefined ? (
        <Busy>{t('reading_the_stores')}</Busy>
      ) : others.length === 0 ? (
        <Empty icon="stores" title={t('there_is_no_other_store_of')} />
      ) : (
        <SendForm store={store} others={others} />
      )}
    </>
  );
}

interface Other {
  readonly id: string;
  readonly name: string;
}

interface SendFormProps {
  readonly store: ManagedStore;
  readonly others: readonly Other[];
}

/** What was asked, and what would come of it. What is sent is that, even if the store gets another menu meanwhile. */
interface Compared {
  readonly wanted: MenuPublicationCreate;
  readonly found: MenuPublication;
  /** Stores of another currency, which get no price of this menu, by id: what their currency is. */
  readonly foreign: ReadonlyMap<string, string>;
}

function SendForm({ store, others }: SendFormProps) {
  const kept = useSignal<readonly string[]>([]);
  const ticked = useSignal<readonly string[]>([]);
  const wall = useSignal('');
  const report = useSignal<MenuPublication | undefined>(undefined);
  const { isBusy, error, run } = useTask();
  const keep = KEPT.filter(([label]) => kept.value.includes(label)).flatMap(([, fields]) => fields);
  const compared = useLoad<Compared>(
    async (signal) => {
      const { current_version: version } = await client.listMenuVersions(store.id, { limit: 1 }, { signal });
      const wanted: MenuPublicationCreate = {
        from: { store_id: store.id, ...(version === 0 ? {} : { version }) },
        store_ids: others.map(({ id }) => id),
        ...(keep.length === 0 ? {} : { keep }),
      };
      return compareInOwnCurrency(wanted, signal);
    },
    [store.id, keep.join(), others.length],
  );

  // A store that has this menu now may have another by then.
  const maySend = ({ result }: MenuPublicationStore) =>
    result === 'published' || (result === 'unchanged' && wall.value !== '');
  const chosenOf = ({ stores: all }: MenuPublication) =>
    all.filter((one) => maySend(one) && ticked.value.includes(one.store_id));

  const send = async ({ wanted, found }: Pick<Compared, 'wanted' | 'found'>) => {
    const moment = wall.value === '' ? undefined : fromWall(wall.value, timezoneOf(store));
    const chosen = chosenOf(found);
    report.value = await client.createMenuPublication({
      ...wanted,
      store_ids: chosen.map(({ store_id: id }) => id),
      ...(moment === undefined
        ? { expect: Object.fromEntries(chosen.map((one) => [one.store_id, one.from_version ?? 0])) }
        : { at: new Date(moment).toISOString() }),
    });
    ticked.value = [];
    await readUntilDone(report);
    compared.reload();
  };

  const names = new Map(others.map(({ id, name }) => [id, name]));
  return (
    <>
      {report.value !== undefined && <Report publication={report.value} names={names} store={store} />}
      <Scheduled key={report.value?.id} store={store} isAll />
      <fieldset class="field">
        <legend>{t('what_each_store_keeps_of_its_own')}</legend>
        <div class="checks">
          {KEPT.map(([label]) => (
            <Tick
              key={label}
              checked={kept.value.includes(label)}
              onChange={() => (kept.value = toggled(kept.value, label))}
              label={label}
            />
          ))}
        </div>
      </fieldset>
      <WhenField wall={wall} timezone={timezoneOf(store)} />
      <Trouble error={error.value} />
      <WhenLoaded of={compared} busy={t('comparing_the_menus')}>
        {({ wanted, found, foreign }) => (
          <>
            <Table columns={[t('store'), t('what_would_change'), t('now')]}>
              {found.stores.map((one) => (
                <tr key={one.store_id}>
                  <td class="lead">
                    <Tick
                      checked={maySend(one) && ticked.value.includes(one.store_id)}
                      disabled={!maySend(one)}
                      onChange={() => (ticked.value = toggled(ticked.value, one.store_id))}
                      label={<bdi>{names.get(one.store_id) ?? one.store_id}</bdi>}
                    />
                  </td>
                  <td data-label={t('what_would_change')}>{describeChange(one)}</td>
                  <td data-label={t('now')} class="soft">
                    {one.from_version === undefined || one.from_version === 0
                      ? t('no_menu')
                      : t('version_inline', { version: String(one.from_version) })}
                  </td>
                </tr>
              ))}
              {[...foreign].map(([id, currency]) => (
                <tr key={id}>
                  <td class="lead">
                    <bdi>{names.get(id) ?? id}</bdi>
                  </td>
                  <td data-label={t('what_would_change')}>
                    {t('its_prices_are_in_currency', { currency, own: store.currency ?? '' })}
                  </td>
                  <td data-label={t('now')} />
                </tr>
              ))}
            </Table>
            <div class="actions">
              <Button
                look="primary"
                disabled={
                  isBusy.value ||
                  chosenOf(found).length === 0 ||
                  !canBePublishedAt(wall.value, timezoneOf(store))
                }
                onClick={() => run(() => send({ wanted, found }))}
              >
                {wall.value === ''
                  ? t('publish_in_count_stores', {
                      count: chosenOf(found).length,
                    })
                  : t('schedule_for_count_stores', {
                      count: chosenOf(found).length,
                    })}
              </Button>
            </div>
          </>
        )}
      </WhenLoaded>
    </>
  );
}

/** Leaves out the stores that are refused for their currency, and compares with the others. */
async function compareInOwnCurrency(wanted: MenuPublicationCreate, signal: AbortSignal): Promise<Compared> {
  const foreign = new Map<string, string>();
  for (;;) {
    const store_ids = wanted.store_ids.filter((id) => !foreign.has(id));
    if (store_ids.length === 0) return { wanted, found: { status: 'done', stores: [] }, foreign };
    try {
      const found = await client.createMenuPublication(
        { ...wanted, store_ids },
        { dry_run: true },
        { signal },
      );
      return { wanted, found, foreign };
    } catch (error) {
      const refused = error instanceof ValidationError ? error.errors : [];
      const before = foreign.size;
      for (const { type, loc, ctx } of refused)
        if (type === 'currency_differs')
          foreign.set(store_ids[Number(loc[2])] ?? '', String(ctx?.['store_currency']));
      if (foreign.size === before) throw error;
    }
  }
}

/** A request that was repeated after a 503 finds its publication under way: its results are read as they come. */
async function readUntilDone(report: Signal<MenuPublication | undefined>): Promise<void> {
  for (let reads = 0; reads < MOST_READS && report.value?.status === 'running'; reads += 1) {
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
    report.value = await client.getMenuPublication(report.value.id ?? '');
  }
}

function toggled(list: readonly string[], one: string): readonly string[] {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
}
