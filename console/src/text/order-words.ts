import type { ManagedOrder, Payment } from '#sdk';
import { t } from './t.js';

/** How a guest gets an order. */
export const SERVICE_WORDS: Readonly<Record<NonNullable<ManagedOrder['service']>, string>> = {
  dine_in: t('dine_in'),
  pickup: t('pick_up'),
  delivery: t('delivery_service'),
};

/** How an order is paid. */
export const METHOD_WORDS: Readonly<Record<Payment['method'], string>> = {
  cash: t('cash'),
  card: t('card'),
  online: t('online'),
  voucher: t('voucher'),
  other: t('other_method'),
};
