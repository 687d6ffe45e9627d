import type { OrderRequest } from './api.js';
import { keptSignal } from './kept.js';
import { place } from './place.js';

/** What the store wants to know of whoever orders, and what the guest wants to tell. */

const EMPTY = { name: '', phone: '', comments: '' };
export type Contact = typeof EMPTY;
export const contact = keptSignal('comanda-contact', EMPTY);

export const LONGEST = { name: 100, phone: 40, comments: 500 };

export function findMissing(): 'name_missing' | 'phone_missing' | undefined {
  const wants = place.value?.wants;
  if (wants?.name === 'required' && contact.value.name.trim() === '') return 'name_missing';
  if (wants?.phone === 'required' && contact.value.phone.trim() === '') return 'phone_missing';
  return undefined;
}

/** Only what was asked for. */
export function toCustomer(): Pick<OrderRequest, 'customer'> {
  const wants = place.value?.wants;
  const given = (field: 'name' | 'phone') => {
    const value = contact.value[field].trim();
    return wants?.[field] === 'none' || value === '' ? {} : { [field]: value };
  };
  const customer = { ...given('name'), ...given('phone') };
  return Object.keys(customer).length === 0 ? {} : { customer };
}

/** What was said of one order is not said of the next. */
export function forgetComments(): void {
  contact.value = { ...contact.value, comments: '' };
}
