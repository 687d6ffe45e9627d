import type { WebhookLag } from '#sdk';
import { t } from '../../../text/t.js';
import { toAgo } from '../../../text/format.js';
import { now } from '../../../ui/now.js';
import { nameOfStore } from '../../../data/stores.js';

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
