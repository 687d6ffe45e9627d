import type { OrderPatch } from '#sdk';
import { InvalidArgumentError } from 'commander';
import { isResourceId } from '../domain/uuid.js';
import { CommandFailed, EXIT } from './exit-codes.js';

export type OrderStatus = NonNullable<OrderPatch['status']>;

const ORDER_STATUSES: readonly OrderStatus[] = [
  'PENDING',
  'ACCEPTED',
  'READY',
  'FULFILLED',
  'REJECTED',
  'CUSTOMER_CANCELLED',
  'STORE_CANCELLED',
];

/** In any case, and with a dash for the underscore. */
export function toOrderStatus(text: string): OrderStatus {
  const wanted = text.toUpperCase().replace('-', '_');
  const status = ORDER_STATUSES.find((known) => known === wanted);
  if (status === undefined)
    throw new InvalidArgumentError(`It should be one of ${ORDER_STATUSES.join(', ')}.`);
  return status;
}

export function toWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It should be a whole number.');
  return Number(text);
}

export const WEBHOOK = ['<webhook>', 'the id of the webhook', webhookId] as const;

function webhookId(given: string): string {
  if (isResourceId(given)) return given;
  throw new CommandFailed(EXIT.usage, 'A webhook is named by its id. See: comanda webhooks list');
}
