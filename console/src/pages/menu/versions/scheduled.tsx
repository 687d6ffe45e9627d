import type { ManagedStore } from '#sdk';
import { client } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { toDateTime, toList } from '../../../text/format.js';
import { Button } from '../../../ui/button.js';
import { say } from '../../../ui/toasts.js';
import { Trouble, useLoad, useTask } from '../../../ui/loading.js';
import { nameOfStore, timezoneOf } from '../../../data/stores.js';

const MOST_NAMES = 3;

interface ScheduledProps {
  readonly store: ManagedStore;
  /** Also those that only other stores get: they may have been sent from here. */
  readonly isAll?: boolean;
}

/** Menus that stores get at a set time. */
export function Scheduled({ store, isAll = false }: ScheduledProps) {
  const { value, error, reload } = useLoad(
    async (signal) => {
      const found = await client.listMenuPublications({ status: 'scheduled' }, { signal });
      return found.filter(({ stores }) => isAll || stores.some(({ store_id: id }) => id === store.id));
    },
    [store.id],
  );
  const { isBusy, error: refusal, run } = useTask();
  // One that cannot be cancelled has been published or cancelled meanwhile: the list is read again either way.
  const cancel = (id: string) => async () => {
    await client.cancelMenuPublication(id).finally(reload);
    say(t('it_is_cancelled'));
  };
  const scheduled = value.value ?? [];
  return (
    <>
      <Trouble error={refusal.value} />
      <Trouble error={error.value} retry={reload} />
      {scheduled.length > 0 && (
        <section class="panel stack" aria-label={t('scheduled_menus')}>
          <h2>{t('scheduled_menus')}</h2>
          <ul class="rows">
            {scheduled.map(({ id = '', at = '', label, stores }) => (
              <li key={id}>
                <span>
                  {toDateTime(at, timezoneOf(store))}
                  {label !== undefined && <bdi>, {label}</bdi>}
                  <span class="soft">
                    {' '}
                    {stores.length > MOST_NAMES
                      ? t('in_count_stores', { count: stores.length })
                      : toList(stores.map(({ store_id: one }) => nameOfStore(one)))}
                  </span>
                </span>
                <Button
                  aria-label={t('action_name', {
                    action: t('cancel_what_is_scheduled'),
                    name: toList([
                      toDateTime(at, timezoneOf(store)),
                      ...(label === undefined ? [] : [label]),
                    ]),
                  })}
                  disabled={isBusy.value}
                  onClick={() => run(cancel(id))}
                >
                  {t('cancel_what_is_scheduled')}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
