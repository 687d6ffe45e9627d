import type { ManagedStore, StorePatch } from '#sdk';
import { client, may } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { LinesField, NumberField, SelectField, Tick, formText } from '../../../ui/field.js';
import { readTexts, writeTexts } from '../../../text/texts-by-language.js';
import { SettingsForm } from '../../../ui/settings-form.js';
import { useLoad } from '../../../ui/loading.js';
import { toHref } from '../../../app/router.js';

type Guest = NonNullable<ManagedStore['guest']>;
type Asked = NonNullable<Guest['name']>;

const ASKED: Readonly<Record<Asked, string>> = {
  required: t('must_be_given'),
  optional: t('may_be_given'),
  none: t('not_asked_for'),
};

interface GuestPanelProps {
  readonly store: ManagedStore;
  readonly onSaved: (store: ManagedStore) => void;
}

/** Whether and how guests order at the places of the store. */
export function GuestPanel({ store, onSaved }: GuestPanelProps) {
  const { guest = {} } = store;
  return (
    <section class="panel stack" aria-labelledby="guests">
      <h2 id="guests">{t('guests')}</h2>
      {may('store:write') ? (
        <GuestForm store={store} guest={guest} onSaved={onSaved} />
      ) : (
        <p>{guest.enabled === true ? t('guests_can_order_at_the_places') : t('guests_cannot_order')}</p>
      )}
      <div class="row">
        <a class="button" href={toHref(`/stores/${store.id}/places`)}>
          {t('places_and_qr_codes')}
        </a>
        {guest.enabled === true && <GuestLink storeId={store.id} />}
      </div>
    </section>
  );
}

/** To the page of the first place that guests can use. */
function GuestLink({ storeId }: { readonly storeId: string }) {
  const { value } = useLoad((signal) => client.listPlaces(storeId, { limit: 100 }, { signal }), [storeId]);
  const place = value.value?.find(({ status }) => status === 'active');
  if (place === undefined) return null;
  return (
    <a class="button" href={place.url} target="_blank" rel="noreferrer">
      {t('see_it_as_a_guest')}
    </a>
  );
}

function GuestForm({ store, guest, onSaved }: GuestPanelProps & { readonly guest: Guest }) {
  const save = async (data: FormData) => {
    onSaved(await client.changeStore(store.id, { guest: readGuest(data, guest) }));
    return true;
  };
  return (
    <SettingsForm save={save}>
      <Tick
        name="enabled"
        defaultChecked={guest.enabled === true}
        label={t('guests_can_order_with_the_qr')}
      />
      <div class="pair">
        <SelectField
          label={t('their_name')}
          name="guest_name"
          options={Object.entries(ASKED)}
          present={guest.name ?? 'optional'}
        />
        <SelectField
          label={t('their_phone_number')}
          name="guest_phone"
          options={Object.entries(ASKED)}
          present={guest.phone ?? 'none'}
        />
        <NumberField
          label={t('orders_that_may_wait_at_one_place')}
          hint={t('a_place_with_more_must_wait')}
          name="most_open"
          least={1}
          most={50}
          required
          value={guest.most_open ?? 5}
        />
      </div>
      <LinesField
        label={t('welcome')}
        hint={t('one_line_for_each_language_such')}
        name="welcome"
        text={writeTexts(guest.welcome?.translations ?? {})}
      />
    </SettingsForm>
  );
}

function readGuest(data: FormData, { welcome: before }: Guest): NonNullable<StorePatch['guest']> {
  const translations = readTexts(formText(data, 'welcome'), before?.translations ?? {});
  const welcome = translations && Object.keys(translations).length > 0 ? { translations } : null;
  return {
    enabled: data.get('enabled') !== null,
    name: formText(data, 'guest_name') as Asked,
    phone: formText(data, 'guest_phone') as Asked,
    most_open: Number(formText(data, 'most_open')),
    ...(translations === undefined ? {} : { welcome }),
  };
}
