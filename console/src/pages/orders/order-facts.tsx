import type { ManagedOrder } from '#sdk';
import { t } from '../../text/t.js';
import { toMoney } from '../../text/format.js';
import { SERVICE_WORDS } from '../../text/code-words.js';
import { Icon } from '../../ui/icon.js';

/** How the guest gets the order, as a word and an icon. */
export function Service({ service }: Pick<ManagedOrder, 'service'>) {
  if (service === undefined) return null;
  return (
    <span class="badge">
      <Icon name={service} />
      {SERVICE_WORDS[service]}
    </span>
  );
}

/** `Paid`, or what is still to be paid or given back. */
export function Due({ due, currency }: { readonly due: number; readonly currency: string | undefined }) {
  if (due === 0)
    return (
      <span class="badge ready">
        <Icon name="check" />
        {t('paid')}
      </span>
    );
  const amount = toMoney(Math.abs(due), currency);
  return <span class="badge">{due > 0 ? t('amount_due', { amount }) : t('refund_amount', { amount })}</span>;
}

/** Where it comes from, and its number there. */
export function Source({ source }: Pick<ManagedOrder, 'source'>) {
  if (source === undefined) return null;
  return (
    <span class="soft small">
      <bdi>{source.name}</bdi>
      {source.reference !== undefined && (
        <>
          {' '}
          <bdi class="mono">{source.reference}</bdi>
        </>
      )}
    </span>
  );
}

/** The address in one line, as it is written on an envelope. */
export function addressOf({ delivery }: Pick<ManagedOrder, 'delivery'>): string | undefined {
  if (delivery === undefined) return undefined;
  const { line_1: first, line_2: second, postal_code: code, city, country } = delivery.address;
  const town = [code, city].filter(Boolean).join(' ');
  return [first, second, town, country].filter(Boolean).join(', ');
}
