import { randomUUID } from 'node:crypto';
import { ask } from './client.js';
import { item, menuClient, modifierGroup, modifierItem } from './menu.js';
import type { Service } from './service.js';
import { createTenant, type Tenant } from './tenant.js';

export interface PlaceBody {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  readonly code: string;
  readonly url: string;
  readonly status: string;
  readonly created_at: string;
  readonly external_id?: string;
}

export interface GuestOrderBody {
  readonly token: string;
  readonly number: number;
  readonly status: string;
  readonly ready_by: string;
  readonly price: number;
  readonly tax: number;
  readonly items: readonly Record<string, unknown>[];
  readonly reason?: string;
  readonly detail?: unknown;
  readonly quote?: { readonly price: number; readonly tax: number };
}

const PERMISSIONS = ['read', 'menu:write', 'stock:write', 'orders:write', 'store:write'];

export const both = (es: string, en: string) => ({ translations: { es, en } });

/** Coffee in two languages, with milk to choose. */
export function coffeeMenu(more: object = {}) {
  return {
    items: [
      item('coffee', { name: both('Café', 'Coffee'), modifier_external_ids: ['milk'], ...more }),
      item('cake', { name: both('Tarta', 'Cake'), price: 300, tax: 30 }),
    ],
    menus: [{ external_id: 'm', availability: [], category_external_ids: ['c'] }],
    categories: [{ external_id: 'c', name: both('Todo', 'All'), item_external_ids: ['coffee', 'cake'] }],
    modifier_groups: [modifierGroup('milk', { modifier_item_external_ids: ['oat'] })],
    modifier_items: [modifierItem('oat', { name: both('Avena', 'Oat') })],
  };
}

/** A store in which guests can order, with one table. */
export async function openForGuests(service: Service, guest: object = {}) {
  const tenant = await createTenant(service, PERMISSIONS);
  const menu = menuClient(service, tenant);
  await menu.post(coffeeMenu());
  const manage = manageClient(service, tenant);
  await manage('PATCH', '', {
    name: both('Centro', 'Center'),
    currency: 'EUR',
    guest: { enabled: true, ...guest },
  });
  const { body: place } = await manage<PlaceBody>('POST', '/places', { label: 'Table 7', kind: 'table' });
  return { ...tenant, menu, manage, place };
}

/** Asks the manage side about the store. */
export function manageClient({ url }: Pick<Service, 'url'>, { storeId, key }: Tenant) {
  return <T = unknown>(method: string, path: string, body?: object) =>
    ask<T>(`${url}/manage/v1/stores/${storeId}${path}`, { method, key, body });
}

/** Asks as a guest: no key, no cookie. */
export function guestClient({ url }: Pick<Service, 'url'>) {
  return {
    get: <T = unknown>(path: string, headers: Record<string, string> = {}) =>
      ask<T>(`${url}/guest/v1${path}`, { headers }),
    post: <T = unknown>(path: string, body?: object, headers: Record<string, string> = {}) =>
      ask<T>(`${url}/guest/v1${path}`, { method: 'POST', body, headers }),
    order: (code: string, more: object = {}, key: string = randomUUID(), headers = {}) =>
      ask<GuestOrderBody>(`${url}/guest/v1/places/${code}/orders`, {
        method: 'POST',
        body: { ...TWO_COFFEES, ...more },
        headers: { 'idempotency-key': key, ...headers },
      }),
  };
}

export const TWO_COFFEES = {
  items: [
    {
      external_id: 'coffee',
      quantity: 2,
      modifiers: [{ group_external_id: 'milk', external_id: 'oat' }],
      comments: 'Very hot',
    },
  ],
  customer: { name: 'Ana' },
  expected_total: { price: 210, tax: 22 },
};
