import type { WebhookLag } from '#sdk';
import { toAgo, toCount } from '../../parts/format.js';
import { now } from '../../parts/now.js';
import { nameOfStore } from '../../stores.js';

/** How many events of each store the endpoint has not had yet. */
export function Lag({ lag }: { readonly lag: readonly WebhookLag[] }) {
  return (
    <section class="panel stack" aria-labelledby="lag">
      <h2 id="lag">How far behind</h2>
      {lag.length === 0 ? (
        <p class="soft">It has no store whose events it could be sent.</p>
      ) : (
        <ul class="rows">
          {lag.map(({ store_id: storeId, behind, oldest_at: oldest }) => (
            <li key={storeId}>
              <bdi>{nameOfStore(storeId)}</bdi>
              {behind === 0 ? (
                <span class="badge ready">Up to date</span>
              ) : (
                <span class="badge kitchen">
                  {toCount(behind, 'event')} behind
                  {oldest !== undefined && `, the oldest ${toAgo(oldest, now.peek())}`}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
