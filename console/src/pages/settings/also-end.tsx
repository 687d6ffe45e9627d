import type { Signal } from '@preact/signals';
import type { MadeWithKey } from '#sdk';
import { client } from '../../data/session.js';
import { t } from '../../text/t.js';
import { WhenLoaded, useLoad } from '../../ui/loading.js';
import { Tick } from '../../ui/field.js';

type Made = keyof MadeWithKey;

const describe = (made: Made, count: number): string => {
  switch (made) {
    case 'keys':
      return t('count_keys_issued_with_it_go', { count });
    case 'webhooks':
      return t('count_webhooks_made_with_it_go', { count });
    case 'publications':
      return t('count_publications_scheduled_with_it_go', { count });
  }
};

/** Asks what ends with a key; `chosen` is what the service is told. */
export function AlsoEnd({
  keyId,
  chosen,
}: {
  readonly keyId: string;
  readonly chosen: Signal<readonly Made[]>;
}) {
  const loaded = useLoad((signal) => client.getKey(keyId, { signal }), [keyId]);
  const choose = (made: Made, isChosen: boolean) =>
    (chosen.value = [...chosen.value.filter((each) => each !== made), ...(isChosen ? [made] : [])]);
  return (
    <WhenLoaded of={loaded} busy={t('looking_for_what_it_has_made')}>
      {({ made }) => (
        <>
          {(['keys', 'webhooks', 'publications'] as const)
            .filter((each) => made[each] > 0)
            .map((each) => (
              <Tick
                key={each}
                checked={chosen.value.includes(each)}
                onChange={(event) => choose(each, event.currentTarget.checked)}
                label={describe(each, made[each])}
              />
            ))}
        </>
      )}
    </WhenLoaded>
  );
}

/** What a revocation is told. */
export function toQuery(chosen: readonly Made[]): { readonly also?: string } {
  return chosen.length === 0 ? {} : { also: chosen.join(',') };
}
