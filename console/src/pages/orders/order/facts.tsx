import type { ManagedOrder } from '#sdk';
import { toList } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { Fact } from '../../../ui/fact.js';
import { Icon } from '../../../ui/icon.js';
import { addressOf, Source } from '../order-facts.js';

const STATE_WORDS: Readonly<Record<NonNullable<NonNullable<ManagedOrder['delivery']>['state']>, string>> = {
  requested: t('courier_requested'),
  assigned: t('courier_assigned'),
  at_store: t('courier_at_store'),
  picked_up: t('courier_picked_up'),
  delivered: t('courier_delivered'),
  failed: t('courier_failed'),
};

/** Where it comes from, where it goes, and what others call it. */
export function Facts({ order }: { readonly order: ManagedOrder }) {
  const { delivery, references = {}, source } = order;
  const { courier, state, notes } = delivery ?? {};
  const address = addressOf(order);
  return (
    <>
      {source !== undefined && (
        <Fact label={t('source')}>
          <Source source={source} />
        </Fact>
      )}
      {address !== undefined && (
        <Fact label={t('address')}>
          <a href={geoOf(order, address)}>
            <Icon name="delivery" />
            <bdi>{address}</bdi>
          </a>
          {notes !== undefined && notes !== null && (
            <p>
              <bdi>“{notes}”</bdi>
            </p>
          )}
        </Fact>
      )}
      {(courier !== undefined || state !== undefined) && (
        <Fact label={t('courier')}>
          <bdi>{toList([state && STATE_WORDS[state], courier?.name].flatMap((part) => part ?? []))}</bdi>{' '}
          {courier?.phone && <bdi>{courier.phone}</bdi>}{' '}
          {courier?.tracking_url && (
            <a href={courier.tracking_url} target="_blank" rel="noreferrer">
              {t('follow_the_courier')}
            </a>
          )}
        </Fact>
      )}
      {Object.entries(references).map(([name, value]) => (
        <Fact label={<bdi>{name}</bdi>}>
          <bdi class="mono">{value}</bdi>
        </Fact>
      ))}
    </>
  );
}

/** RFC 5870: opens whatever map the device has. */
function geoOf({ delivery }: ManagedOrder, address: string): string {
  const { latitude, longitude } = delivery?.address ?? {};
  const query = encodeURIComponent(address);
  return typeof latitude === 'number' && typeof longitude === 'number'
    ? `geo:${latitude},${longitude}?q=${latitude},${longitude}(${query})`
    : `geo:0,0?q=${query}`;
}
