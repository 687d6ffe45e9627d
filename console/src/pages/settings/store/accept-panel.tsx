import type { ManagedStore } from '#sdk';
import { client, may } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { NumberField, Tick, formNumber } from '../../../ui/field.js';
import { SettingsForm } from '../../../ui/settings-form.js';

interface AcceptPanelProps {
  readonly store: ManagedStore;
  readonly onSaved: (store: ManagedStore) => void;
}

/** Whether orders are accepted by themselves, and when someone is called to them. */
export function AcceptPanel({ store, onSaved }: AcceptPanelProps) {
  return (
    <section class="panel stack" aria-labelledby="accept">
      <h2 id="accept">{t('accepting_orders')}</h2>
      {may('store:write') ? (
        <AcceptForm store={store} onSaved={onSaved} />
      ) : (
        <p>{describeAccept(store).join(' ')}</p>
      )}
    </section>
  );
}

const MOST_MINUTES = 240;
const MOST_MINUTES_TO_PRINT = 60;

function AcceptForm({ store, onSaved }: AcceptPanelProps) {
  const { accept, in_pos_within_minutes: inPos } = store;
  const save = async (data: FormData) => {
    const minutes = (name: string) => formNumber(data, name) ?? null;
    onSaved(
      await client.changeStore(store.id, {
        accept: {
          auto: data.has('auto'),
          within_minutes: minutes('within'),
          then: data.has('reject') ? 'reject' : 'nothing',
        },
        in_pos_within_minutes: minutes('in_pos'),
        print_within_minutes: minutes('printed'),
        ready_when_done: data.has('ready_when_done'),
      }),
    );
    return true;
  };
  return (
    <SettingsForm save={save}>
      <Tick
        name="auto"
        defaultChecked={accept?.auto === true}
        label={t('accept_new_orders_as_they_arrive')}
      />
      <div class="pair">
        <NumberField
          name="within"
          label={t('call_someone_when_an_order_waits')}
          least={1}
          most={MOST_MINUTES}
          value={accept?.within_minutes}
        />
        <NumberField
          name="in_pos"
          label={t('call_someone_when_an_order_is')}
          least={1}
          most={MOST_MINUTES}
          value={inPos}
        />
        <NumberField
          name="printed"
          label={t('call_someone_when_a_ticket_is')}
          least={1}
          most={MOST_MINUTES_TO_PRINT}
          value={store.print_within_minutes}
        />
      </div>
      <Tick
        name="reject"
        defaultChecked={accept?.then === 'reject'}
        label={t('reject_an_order_that_nobody_accepts')}
      />
      <Tick
        name="ready_when_done"
        defaultChecked={store.ready_when_done === true}
        label={t('ready_when_every_station_is_done')}
      />
    </SettingsForm>
  );
}

function describeAccept({ accept, in_pos_within_minutes: inPos }: ManagedStore): string[] {
  const within = accept?.within_minutes;
  return [
    accept?.auto === true ? t('new_orders_are_accepted_as_they_arrive') : t('staff_accept_new_orders'),
    ...(within === undefined
      ? []
      : [
          accept?.then === 'reject'
            ? t('an_order_that_nobody_accepts_within', { count: within })
            : t('an_order_that_waits_for_more', { count: within }),
        ]),
    ...(inPos === undefined ? [] : [t('an_order_that_is_not_in', { count: inPos })]),
  ];
}
