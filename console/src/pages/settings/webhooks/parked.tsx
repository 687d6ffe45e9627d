import type { ParkedEvent, WebhookDetails } from '#sdk';
import { client } from '../../../data/client.js';
import { t, tx } from '../../../text/t.js';
import { toDateTime } from '../../../text/format.js';
import { Button } from '../../../ui/button.js';
import { say } from '../../../ui/toasts.js';
import { Trouble, useTask } from '../../../ui/loading.js';
import { findStore, nameOfStore, timezoneOf } from '../../../data/stores.js';
import { toOutcome } from '../../../data/event-words.js';

interface ParkedProps {
  readonly webhook: WebhookDetails;
  readonly onSent: () => void;
}

/** Events that the endpoint refused so often that they were set aside, so that those behind them could go on. */
export function Parked({ webhook, onSent }: ParkedProps) {
  const { isBusy, error, run } = useTask();
  const send = async ({ event_id: id }: ParkedEvent) => {
    const trial = await client.sendParkedEvent(webhook.id, id);
    say(
      trial.delivered
        ? t('it_has_been_taken')
        : t('it_was_refused_again_outcome', { outcome: toOutcome(trial) }),
    );
    onSent();
  };
  if (webhook.parked.length === 0) return null;
  return (
    <section class="panel stack" aria-labelledby="parked">
      <h2 id="parked">{t('set_aside_events')}</h2>
      <p class="soft">{t('the_endpoint_refused_these_again_and')}</p>
      <Trouble error={error.value} />
      <ul class="rows">
        {webhook.parked.map((event) => (
          <li key={event.event_id}>
            <span>
              <span class="mono">{event.type}</span>{' '}
              <span class="small soft">
                {tx('store_number_sequence_time_status_status', {
                  store: <bdi>{nameOfStore(event.store_id)}</bdi>,
                  sequence: String(event.sequence),
                  time: toDateTime(event.parked_at, timezoneOf(findStore(event.store_id) ?? {})),
                  status: String(event.status),
                })}
              </span>
            </span>
            <Button
              aria-label={t('send_it_number_sequence', { sequence: String(event.sequence) })}
              disabled={isBusy.value}
              onClick={() => run(() => send(event))}
            >
              {t('send_it')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
