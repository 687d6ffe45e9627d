import type { WebhookDelivery } from '#sdk';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Empty } from '../../../ui/empty.js';
import { toDateTime } from '../../../text/format.js';
import { Table } from '../../../ui/table.js';
import { findStore, nameOfStore, timezoneOf, usualStore } from '../../../data/stores.js';
import { isHeard, toOutcome } from '../../../data/event-words.js';

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
