import { useSignal } from '@preact/signals';
import type { ManagedStore, Place } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { tx } from '../../../text/tx.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { Empty } from '../../../ui/empty.js';
import { Icon } from '../../../ui/icon.js';
import { Table } from '../../../ui/table.js';
import { say, sayError } from '../../../ui/toasts.js';
import { useLoad } from '../../../ui/use-load.js';
import { useTitle } from '../../../ui/use-title.js';
import { WhenLoaded } from '../../../ui/when-loaded.js';
import { toHref } from '../../../app/router.js';
import { may } from '../../../data/session.js';
import { nameOf } from '../../../data/stores.js';
import { AddDialog } from './add-dialog.js';
import { printCodes } from './print-codes.js';
import { RenameDialog } from './rename-dialog.js';

type Opened = { readonly is: 'add' } | { readonly is: 'rename' | 'rotate' | 'remove'; readonly place: Place };

const MOST_PLACES = 1000;

/** The tables and pick-up points where guests order, and their codes to print. */
export function PlacesPage({ store }: { readonly store: ManagedStore }) {
  useTitle(t('Places'), nameOf(store));
  const loaded = useLoad(
    (signal) => client.listPlaces(store.id, { limit: MOST_PLACES }, { signal }),
    [store.id],
  );
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
        <h1>{t('Places')}</h1>
        <span class="row">
          {active.length > 0 && (
            <button type="button" class="button" onClick={() => printCodes(active)}>
              <Icon name="print" />
              {t('Print the QR codes')}
            </button>
          )}
          {may('store:write') && (
            <button type="button" class="button primary" onClick={() => (opened.value = { is: 'add' })}>
              <Icon name="plus" />
              {t('Add places')}
            </button>
          )}
        </span>
      </header>
      {store.guest?.enabled !== true && (
        <p class="notice">
          <Icon name="warning" />
          <span>
            {tx('Guests cannot order yet. {link} in the store details.', {
              link: <a href={toHref(`/stores/${store.id}/settings`)}>{t('Turn it on')}</a>,
            })}
          </span>
        </p>
      )}
      <WhenLoaded of={loaded} busy={t('Reading the places')}>
        {(places) =>
          places.length === 0 ? (
            <Empty icon="places" title={t('No place yet')}>
              <p>
                {t('Add your tables, or a pick-up point. Each gets a QR code with which guests order there.')}
              </p>
            </Empty>
          ) : (
            <PlaceTable
              places={places}
              onOpen={(next) => (opened.value = next)}
              onSwitched={loaded.reload}
              storeId={store.id}
            />
          )
        }
      </WhenLoaded>
      {change?.is === 'add' && <AddDialog storeId={store.id} onClose={close} onAdded={done} />}
      {change?.is === 'rename' && (
        <RenameDialog storeId={store.id} place={change.place} onClose={close} onRenamed={done} />
      )}
      {change?.is === 'rotate' && (
        <ConfirmDialog
          title={t('Give it a new code?')}
          confirm={t('New code')}
          onClose={close}
          onConfirm={async () => {
            await client.rotatePlace(store.id, change.place.id);
            done(t('The place has a new code: print it'));
          }}
        >
          <p>
            {tx('The code that is printed for {name} stops working at once.', {
              name: <bdi>{change.place.label}</bdi>,
            })}
          </p>
        </ConfirmDialog>
      )}
      {change?.is === 'remove' && (
        <ConfirmDialog
          title={t('Remove the place?')}
          confirm={t('Remove')}
          onClose={close}
          onConfirm={async () => {
            await client.deletePlace(store.id, change.place.id);
            done(t('The place is removed'));
          }}
        >
          <p>
            {tx('The code of {name} stops working at once. Its orders stay.', {
              name: <bdi>{change.place.label}</bdi>,
            })}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const KINDS: Readonly<Record<Place['kind'], string>> = { table: t('Table'), pickup: t('Pick-up') };

interface PlaceTableProps {
  readonly storeId: string;
  readonly places: readonly Place[];
  readonly onOpen: (opened: Opened) => void;
  readonly onSwitched: () => void;
}

function PlaceTable({ storeId, places, onOpen, onSwitched }: PlaceTableProps) {
  const toggle = ({ id, status }: Place) => {
    client
      .changePlace(storeId, id, { status: status === 'active' ? 'disabled' : 'active' })
      .then(onSwitched, sayError);
  };
  return (
    <Table columns={[t('Place'), t('Kind'), t('Page'), t('Change')]}>
      {places.map((place) => (
        <tr key={place.id}>
          <td class="lead">
            <span class="row">
              <bdi>{place.label}</bdi>
              {place.status === 'disabled' && <span class="badge">{t('Disabled')}</span>}
            </span>
          </td>
          <td data-label={t('Kind')} class="tight">
            {KINDS[place.kind]}
          </td>
          <td data-label={t('Page')}>
            <a
              href={place.url}
              target="_blank"
              rel="noreferrer"
              aria-label={t('See {name} as a guest', { name: place.label })}
            >
              {t('See it as a guest')}
            </a>
          </td>
          <td class="bare">
            {may('store:write') && (
              <span class="row">
                <button
                  type="button"
                  class="button"
                  aria-label={t('Rename {name}', { name: place.label })}
                  onClick={() => onOpen({ is: 'rename', place })}
                >
                  {t('Rename')}
                </button>
                <button
                  type="button"
                  class="button"
                  aria-label={t('New code for {name}', { name: place.label })}
                  onClick={() => onOpen({ is: 'rotate', place })}
                >
                  {t('New code')}
                </button>
                <button
                  type="button"
                  class="button"
                  aria-label={
                    place.status === 'active'
                      ? t('Disable {name}', { name: place.label })
                      : t('Enable {name}', { name: place.label })
                  }
                  onClick={() => toggle(place)}
                >
                  {place.status === 'active' ? t('Disable') : t('Enable')}
                </button>
                <button type="button" class="button danger" onClick={() => onOpen({ is: 'remove', place })}>
                  {t('Remove')}
                </button>
              </span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
