import type { WebhookLag, ParkedEvent, WebhookDetails, WebhookDelivery } from '#sdk';
import { t, tx } from '../../../text/t.js';
import { toAgo, toDateTime } from '../../../text/format.js';
import { now } from '../../../ui/now.js';
import { nameOfStore, findStore, timezoneOf, usualStore } from '../../../data/stores.js';
import { client } from '../../../data/session.js';
import { Button } from '../../../ui/button.js';
import { say } from '../../../ui/toasts.js';
import { Trouble, useTask } from '../../../ui/loading.js';
import { toOutcome, isHeard } from '../../../text/code-words.js';
import { Empty, Table } from '../../../ui/table.js';

/** How many events of each store the endpoint has not had yet. */
export function Lag({ lag }: { readonly lag: readonly WebhookLag[] }) {
  return (
    <section class="panel stack" aria-labelledby="lag">
      <h2 id="lag">{t('how_far_behind')}</h2>
      {lag.length === 0 ? (
        <p class="soft">{t('it_has_no_store_whose_events')}</p>
      ) : (
        <ul class="rows">
          {lag.map(({ store_id: storeId, behind, oldest_at: oldest }) => (
            <li key={storeId}>
              <bdi>{nameOfStore(storeId)}</bdi>
              {behind === 0 ? (
                <span class="badge ready">{t('up_to_date')}</span>
              ) : (
                <span class="badge kitchen">
                  {oldest === undefined
                    ? t('count_events_behind', { count: behind })
                    : t('count_events_behind_the_oldest_ago', {
                        count: behind,
                        ago: toAgo(oldest, now.peek()),
                      })}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

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

interface DeliveriesProps {
  readonly deliveries: readonly WebhookDelivery[];
  readonly onLookAgain: () => void;
}

/** Every attempt of late, and what came back. */
export function Deliveries({ deliveries, onLookAgain }: DeliveriesProps) {
  return (
    <section class="stack" aria-labelledby="deliveries">
      <div class="spread">
        <h2 id="deliveries">{t('deliveries')}</h2>
        <Button onClick={onLookAgain}>{t('look_again')}</Button>
      </div>
      {deliveries.length === 0 ? (
        <Empty icon="webhooks" title={t('nothing_has_been_sent_yet')}>
          <p>{t('send_a_test_to_see_whether')}</p>
        </Empty>
      ) : (
        <Table columns={[t('event'), t('store'), t('sent'), t('attempt'), t('answer_noun')]}>
          {deliveries.map((delivery) => (
            <DeliveryRow key={`${delivery.event_id} ${delivery.at}`} delivery={delivery} />
          ))}
        </Table>
      )}
    </section>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { type, store_id: storeId, sequence, attempt, at, latency_ms: latency, response } = delivery;
  const store = storeId === undefined ? usualStore.value : findStore(storeId);
  return (
    <tr>
      <td class="lead">
        <span class="mono">{type}</span>
        {sequence !== undefined && (
          <span class="small soft"> {t('number_sequence', { sequence: String(sequence) })}</span>
        )}
      </td>
      <td data-label={t('store')}>
        <bdi>{storeId === undefined ? '–' : nameOfStore(storeId)}</bdi>
      </td>
      <td data-label={t('sent')} class="tight">
        {toDateTime(at, timezoneOf(store ?? {}))}
      </td>
      <td data-label={t('attempt')}>{attempt}</td>
      <td data-label={t('answer_noun')}>
        <span>
          <span class={`badge ${isHeard(delivery) ? 'ready' : 'bad'}`}>{toOutcome(delivery)}</span>{' '}
          <span class="small soft number">{`${latency} ms`}</span>
          {response !== undefined && response !== '' && (
            <details>
              <summary class="small">{t('what_it_said')}</summary>
              <pre class="said" tabIndex={0}>
                <bdi>{response}</bdi>
              </pre>
            </details>
          )}
        </span>
      </td>
    </tr>
  );
}
