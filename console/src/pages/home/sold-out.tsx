import { useSignal } from '@preact/signals';
import type { ManagedStore } from '#sdk';
import { client, may } from '../../data/session.js';
import { AT_A_GLANCE, useChanges, type LiveStore } from '../../data/live/live-store.js';
import { t } from '../../text/t.js';
import { toText } from '../../text/format.js';
import { Button } from '../../ui/button.js';
import { sayError } from '../../ui/toasts.js';
import { WhenLoaded, useLoad } from '../../ui/loading.js';
import { toHref } from '../../app/router.js';

const MOST_SHOWN = 12;

/** What guests cannot have at the moment, with the way to bring it back. */
export function SoldOut({ store, live }: { readonly store: ManagedStore; readonly live: LiveStore }) {
  const loaded = useLoad(
    async (signal) => {
      const { items = [], modifier_items: options = [] } = await client.getMenuConfigurationFlat(store.id, {
        signal,
      });
      return [
        ...items.map((entity) => ({ entity, mark: client.markItem })),
        ...options.map((entity) => ({ entity, mark: client.markModifierItem })),
      ].filter(({ entity }) => entity.in_stock === false);
    },
    [store.id],
  );
  useChanges(live, loaded.reload, (_, type) => type.startsWith('menu.'), AT_A_GLANCE);
  const busy = useSignal<string | undefined>(undefined);
  const bringBack = async (id: string, mark: typeof client.markItem) => {
    busy.value = id;
    await mark(store.id, id, { in_stock: true }).catch(sayError);
    busy.value = undefined;
    loaded.reload();
  };
  return (
    <section class="panel stack" aria-labelledby="sold-out">
      <div class="spread">
        <h2 id="sold-out">{t('sold_out')}</h2>
        <a href={toHref(`/stores/${store.id}/menu`)}>{t('to_the_menu')}</a>
      </div>
      <WhenLoaded of={loaded} busy={t('reading_the_menu')}>
        {(soldOut) =>
          soldOut.length === 0 ? (
            <p class="soft">{t('everything_on_the_menu_can_be')}</p>
          ) : (
            <ul class="rows">
              {soldOut.slice(0, MOST_SHOWN).map(({ entity, mark }) => (
                <li key={entity.id}>
                  <bdi>{toText(entity.name) || entity.external_id}</bdi>
                  {may('stock:write') && (
                    <Button
                      disabled={busy.value === entity.external_id}
                      aria-label={t('name_back_in_stock', {
                        name: toText(entity.name) || entity.external_id,
                      })}
                      onClick={() => void bringBack(entity.external_id, mark)}
                    >
                      {t('back_in_stock')}
                    </Button>
                  )}
                </li>
              ))}
              {soldOut.length > MOST_SHOWN && (
                <li class="soft">{t('and_count_more', { count: soldOut.length - MOST_SHOWN })}</li>
              )}
            </ul>
          )
        }
      </WhenLoaded>
    </section>
  );
}
