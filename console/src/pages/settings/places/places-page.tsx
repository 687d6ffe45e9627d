import { useSignal } from '@preact/signals';
import type { ListedPlace, ManagedStore } from '#sdk';
import { client, may } from '../../../data/session.js';
import { useChanges, type LiveStore } from '../../../data/live/live-store.js';
import { toMoney } from '../../../text/format.js';
import { locale, t, tx } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialogs.js';
import { Empty, RowActions, Table } from '../../../ui/table.js';
import { Notice } from '../../../ui/notice.js';
import { say, sayError } from '../../../ui/toasts.js';
import { WhenLoaded, useLoad } from '../../../ui/loading.js';
import { useTitle } from '../../../ui/use-title.js';
import { toHref } from '../../../app/router.js';
import { nameOf } from '../../../data/stores.js';
import { AddDialog, RenameDialog } from './place-dialogs.js';
import { PrintDialog } from './print-dialog.js';
import { SettleDialog } from './settle-dialog.js';

type Opened =
  | { readonly is: 'add' | 'print' }
  | { readonly is: 'rename' | 'rotate' | 'remove' | 'settle'; readonly place: ListedPlace };

const MOST_PLACES = 1000;

/** Table 2 before table 10. */
const byLabel = new Intl.Collator(locale(), { numeric: true });

/** The tables and pick-up points where guests order, and their codes to print. */
export function PlacesPage({ store, live }: { readonly store: ManagedStore; readonly live: LiveStore }) {
  useTitle(t('places'), nameOf(store));
  const loaded = useLoad(
    async (signal) => {
      const places = await client.listPlaces(store.id, { limit: MOST_PLACES }, { signal });
      return places.sort((one, other) => byLabel.compare(one.label, other.label));
    },
    [store.id],
  );
  useChanges(live, loaded.reload, (data) => 'order_id' in data);
  const opened = useSignal<Opened | undefined>(undefined);
  const close = () => (opened.value = undefined);
  const done = (words: string) => {
    say(words);
    close();
    loaded.reload();
  };
  const active = (loaded.value.value ?? []).filter(({ status }) => status === 'active');
  const change = opened.value;
  return (
    <>
      <header>
        <h1>{t('places')}</h1>
        <Button icon="print" disabled={active.length === 0} onClick={() => (opened.value = { is: 'print' })}>
          {t('print_the_qr_codes')}
        </Button>
        {may('store:write') && (
          <Button look="primary" icon="plus" onClick={() => (opened.value = { is: 'add' })}>
            {t('add_places')}
          </Button>
        )}
      </header>
      {store.guest?.enabled !== true && (
        <Notice>
          {tx('guests_cannot_order_yet_link_in', {
            link: <a href={toHref(`/stores/${store.id}/settings`)}>{t('turn_it_on')}</a>,
          })}
        </Notice>
      )}
      {active[0] !== undefined && <AddressWarning url={active[0].url} />}
      <WhenLoaded of={loaded} busy={t('reading_the_places')}>
        {(places) =>
          places.length === 0 ? (
            <Empty icon="places" title={t('no_place_yet')}>
              <p>{t('add_your_tables_or_a_pick')}</p>
            </Empty>
          ) : (
            <PlaceTable
              places={places}
              onOpen={(next) => (opened.value = next)}
              onSwitched={loaded.reload}
              storeId={store.id}
              currency={store.currency}
            />
          )
        }
      </WhenLoaded>
      {change?.is === 'add' && <AddDialog storeId={store.id} onClose={close} onAdded={done} />}
      {change?.is === 'print' && <PrintDialog store={store} places={active} onClose={close} />}
      {change?.is === 'rename' && (
        <RenameDialog storeId={store.id} place={change.place} onClose={close} onRenamed={done} />
      )}
      {change?.is === 'settle' && (
        <SettleDialog store={store} place={change.place} onClose={close} onSettled={done} />
      )}
      {change?.is === 'rotate' && (
        <ConfirmDialog
          title={t('give_it_a_new_code')}
          confirm={t('new_code')}
          onClose={close}
          onConfirm={async () => {
            await client.rotatePlace(store.id, change.place.id);
            done(t('the_place_has_a_new_code'));
          }}
        >
          <p>
            {tx('the_code_that_is_printed_for', {
              name: <bdi>{change.place.label}</bdi>,
            })}
          </p>
        </ConfirmDialog>
      )}
      {change?.is === 'remove' && (
        <ConfirmDialog
          title={t('remove_the_place')}
          confirm={t('remove')}
          onClose={close}
          onConfirm={async () => {
            await client.deletePlace(store.id, change.place.id);
            done(t('the_place_is_removed'));
          }}
        >
          <p>
            {tx('the_code_of_name_stops_working', {
              name: <bdi>{change.place.label}</bdi>,
            })}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Codes that no phone can open are printed only once. */
function AddressWarning({ url }: { readonly url: string }) {
  const { protocol, hostname, origin } = new URL(url);
  const isHere = /^(?:localhost|127[.].*|\[::1\])$/.test(hostname);
  if (!isHere && protocol === 'https:') return null;
  return (
    <Notice role="alert">
      {isHere
        ? t('codes_lead_to_this_machine', { address: origin })
        : t('codes_lead_to_plain_http', { address: origin })}
    </Notice>
  );
}

const KINDS: Readonly<Record<ListedPlace['kind'], string>> = { table: t('table'), pickup: t('pick_up') };

interface PlaceTableProps {
  readonly storeId: string;
  readonly places: readonly ListedPlace[];
  readonly currency: string | undefined;
  readonly onOpen: (opened: Opened) => void;
  readonly onSwitched: () => void;
}

function PlaceTable({ storeId, places, currency, onOpen, onSwitched }: PlaceTableProps) {
  const toggle = ({ id, status }: ListedPlace) => {
    client
      .changePlace(storeId, id, { status: status === 'active' ? 'disabled' : 'active' })
      .then(onSwitched, sayError);
  };
  return (
    <Table columns={[t('place'), t('kind'), t('due'), t('page'), t('change')]}>
      {places.map((place) => (
        <tr key={place.id}>
          <td class="lead">
            <span class="row">
              <bdi>{place.label}</bdi>
              {place.status === 'disabled' && <span class="badge">{t('disabled')}</span>}
            </span>
          </td>
          <td data-label={t('kind')} class="tight">
            {KINDS[place.kind]}
          </td>
          <td data-label={t('due')} class="number">
            {place.due !== 0 && (
              <span class="row">
                {toMoney(place.due, currency)}
                {may('orders:write') && may('read') && (
                  <Button
                    aria-label={t('settle_name', { name: place.label })}
                    onClick={() => onOpen({ is: 'settle', place })}
                  >
                    {t('settle')}
                  </Button>
                )}
              </span>
            )}
          </td>
          <td data-label={t('page')}>
            <a
              href={place.url}
              target="_blank"
              rel="noreferrer"
              aria-label={t('action_name', { action: t('see_it_as_a_guest'), name: place.label })}
            >
              {t('see_it_as_a_guest')}
            </a>
          </td>
          <td class="bare">
            {may('store:write') && (
              <RowActions
                of={place.label}
                actions={[
                  { label: t('rename'), onPress: () => onOpen({ is: 'rename', place }) },
                  { label: t('new_code'), onPress: () => onOpen({ is: 'rotate', place }) },
                  {
                    label: place.status === 'active' ? t('disable') : t('enable'),
                    onPress: () => toggle(place),
                  },
                  { label: t('remove'), isDangerous: true, onPress: () => onOpen({ is: 'remove', place }) },
                ]}
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
