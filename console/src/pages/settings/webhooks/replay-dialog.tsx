import { useSignal } from '@preact/signals';
import type { WebhookDetails } from '#sdk';
import { client } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { InputField, SelectField, formText } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/dialogs.js';
import { say } from '../../../ui/toasts.js';
import { findStore, nameOfStore, timezoneOf } from '../../../data/stores.js';
import { fromWall, toWall } from '../../../../../src/calendar/wall-clock.js';

interface ReplayDialogProps {
  readonly webhook: WebhookDetails;
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

const HOUR_MS = 3_600_000;

/** Sends what the endpoint has had before once more, from a point on, or passes over what it has not had. */
export function ReplayDialog({ webhook, onClose, onMoved }: ReplayDialogProps) {
  const from = useSignal('moment');
  const storeId = useSignal(webhook.lag[0]?.store_id ?? '');
  const timezone = timezoneOf(findStore(storeId.value) ?? {});

  const replay = async (data: FormData) => {
    const moment = () => new Date(fromWall(formText(data, 'moment'), timezone)).toISOString();
    const after = from.value === 'moment' ? moment() : from.value === 'now' ? 'now' : undefined;
    await client.replayWebhook(webhook.id, { store_id: storeId.value, after });
    say(from.value === 'now' ? t('it_goes_on_with_the_next_event') : t('they_are_on_their_way_again'));
    onMoved();
  };
  return (
    <FormDialog title={t('send_again')} submit={t('send_again')} onSubmit={replay} onClose={onClose}>
      <p>{t('the_endpoint_gets_the_events_of')}</p>
      <SelectField
        label={t('store')}
        required
        options={webhook.lag.map(({ store_id: id }) => [id, nameOfStore(id)])}
        chosen={storeId.value}
        onChoose={(id) => (storeId.value = id)}
      />
      <SelectField
        label={t('from_events')}
        options={[
          ['moment', t('a_moment_on_from')],
          ['oldest', t('the_oldest_event_that_is_kept_on_from')],
          ['now', t('now_on_leave_out_what_it_from')],
        ]}
        chosen={from.value}
        onChoose={(chosen) => (from.value = chosen)}
      />
      {from.value === 'moment' && (
        <InputField
          label={t('moment')}
          hint={t('by_the_clock_of_the_store_timezone', { timezone: timezone.replaceAll('_', ' ') })}
          name="moment"
          type="datetime-local"
          required
          defaultValue={toWall(Date.now() - HOUR_MS, timezone).slice(0, 16)}
        />
      )}
    </FormDialog>
  );
}
