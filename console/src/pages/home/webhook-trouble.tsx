import { useEffect } from 'preact/hooks';
import type { ManagedStore, Webhook } from '#sdk';
import { client } from '../../data/session.js';
import { t } from '../../text/t.js';
import { Icon } from '../../ui/icon.js';
import { WhenLoaded, useLoad } from '../../ui/loading.js';
import { toHref } from '../../app/router.js';

/** An endpoint gets into trouble without an event that tells of it. */
const READ_AGAIN_MS = 60_000;
/** An event that has waited longer than this is no longer just on its way. */
const PATIENCE_MS = 2 * 60_000;

/** Endpoints that the events of this store do not reach. */
export function WebhookTrouble({ store }: { readonly store: ManagedStore }) {
  const loaded = useLoad((signal) => readTroubled(store, signal), [store.id]);
  useEffect(() => {
    const timer = setInterval(loaded.reload, READ_AGAIN_MS);
    return () => clearInterval(timer);
  }, [loaded.reload]);
  return (
    <section class="panel stack" aria-labelledby="webhooks">
      <div class="spread">
        <h2 id="webhooks">{t('webhooks')}</h2>
        <a href={toHref('/webhooks')}>{t('all_webhooks')}</a>
      </div>
      <WhenLoaded of={loaded} busy={t('asking_the_endpoints')}>
        {(troubled) =>
          troubled.length === 0 ? (
            <p class="soft">{t('no_endpoint_is_in_trouble')}</p>
          ) : (
            <ul class="rows">
              {troubled.map(({ id, name, words }) => (
                <li key={id}>
                  <a href={toHref(`/webhooks/${id}`)}>
                    <bdi>{name}</bdi>
                  </a>
                  <span class="badge bad">
                    <Icon name="warning" />
                    {words}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </section>
  );
}

async function readTroubled(store: ManagedStore, signal: AbortSignal) {
  const concerned: Webhook[] = [];
  for await (const webhook of client.iterateWebhooks({ merchant_id: store.merchant?.id }, { signal }))
    if (webhook.store_ids?.includes(store.id) ?? true) concerned.push(webhook);
  const details = await Promise.all(concerned.map(({ id }) => client.getWebhook(id, { signal })));
  return details.flatMap(({ id, label, url, status, lag, parked, secret_readable: isReadable }) => {
    const name = label ?? url;
    if (status === 'disabled') return [{ id, name, words: t('disabled') }];
    if (!isReadable) return [{ id, name, words: t('needs_a_new_secret') }];
    const own = lag.find(({ store_id: storeId }) => storeId === store.id);
    const isStuck = own?.oldest_at !== undefined && Date.now() - Date.parse(own.oldest_at) > PATIENCE_MS;
    if (isStuck) return [{ id, name, words: t('count_events_behind', { count: own.behind }) }];
    const aside = parked.filter(({ store_id: storeId }) => storeId === store.id).length;
    if (aside === 0) return [];
    return [{ id, name, words: t('count_events_set_aside', { count: aside }) }];
  });
}
