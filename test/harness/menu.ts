import pg from 'pg';
import { onTestFinished } from 'vitest';
import { ask, type Answer, type Ask } from './client.js';
import type { Service } from './service.js';
import type { Tenant } from './tenant.js';

export const text = (en: string) => ({ translations: { en } });

export const item = (external_id: string, more: object = {}) => ({
  external_id,
  name: text(external_id),
  price: 100,
  tax: 10,
  sell_separately: true,
  ...more,
});

export const modifierGroup = (external_id: string, more: object = {}) => ({
  external_id,
  type: 'single',
  name: text(external_id),
  group_max: 0,
  group_min: 0,
  charge_after: 0,
  ...more,
});

export const modifierItem = (external_id: string, more: object = {}) => ({
  external_id,
  name: text(external_id),
  price_change: 5,
  tax_change: 1,
  min_quantity: 0,
  max_quantity: 1,
  default_quantity: 0,
  ...more,
});

/** One of each kind, each referring to the next. */
export const chain = (more: object = {}) => ({
  items: [item('i', { modifier_external_ids: ['g'], ...more })],
  menus: [{ external_id: 'm', availability: [], category_external_ids: ['c'] }],
  categories: [{ external_id: 'c', name: text('c'), item_external_ids: ['i'] }],
  modifier_groups: [modifierGroup('g', { modifier_item_external_ids: ['o'] })],
  modifier_items: [modifierItem('o')],
});

/** A configuration whose every entity tells which one it is. */
export function numberedMenu(number: number, items: number) {
  const all = Array.from({ length: items }, (_, i) => item(`i${i}`, { price: number }));
  return {
    items: all,
    menus: [{ external_id: 'm', availability: [], name: text(String(number)), category_external_ids: ['c'] }],
    categories: [
      { external_id: 'c', name: text(String(number)), item_external_ids: all.map((one) => one.external_id) },
    ],
  };
}

/** Holds up publications in a store until the returned function is called, or the test ends. */
export async function holdMenu({ connection }: Service, storeId: string): Promise<() => Promise<void>> {
  const client = new pg.Client(connection);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query(
    'SELECT FROM menu_states m JOIN stores s USING (store_key) WHERE s.id = $1 FOR UPDATE OF m',
    [storeId],
  );
  return async () => {
    await client.query('ROLLBACK');
  };
}

export interface Tree {
  readonly menu_configuration: readonly {
    readonly id: number;
    readonly external_id: string;
    readonly name: { readonly translations: Record<string, string> };
    readonly categories: readonly { readonly id: number; readonly items: readonly TreeItem[] }[];
  }[];
}

export interface TreeItem {
  readonly id: number;
  readonly external_id: string;
  readonly price: number;
  readonly in_stock: boolean;
  readonly prep_type?: string;
  readonly modifier_groups: readonly {
    readonly id: number;
    readonly modifier_items: readonly {
      readonly id: number;
      readonly external_id: string;
      readonly in_stock: boolean;
    }[];
  }[];
}

export interface MenuClient {
  post<T = Tree>(body: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  tree(headers?: Record<string, string>): Promise<Answer<Tree>>;
  flat<T = Record<string, { id: number; external_id: string; in_stock?: boolean }[]>>(
    headers?: Record<string, string>,
  ): Promise<Answer<T>>;
  manage<T = unknown>(path: string, request?: Ask): Promise<Answer<T>>;
}

/** Speaks to the menu of one store on both surfaces. */
export function menuClient(
  service: Pick<Service, 'url'>,
  { storeId, key }: Pick<Tenant, 'storeId' | 'key'>,
): MenuClient {
  const path = `${service.url}/v1/stores/${storeId}/menu_configuration/`;
  return {
    post: (body, headers = {}) => ask(path, { method: 'POST', key, body, headers }),
    tree: (headers = {}) => ask(path, { key, headers }),
    flat: (headers = {}) => ask(`${path}flat`, { key, headers }),
    manage: (rest, request = {}) =>
      ask(`${service.url}/manage/v1/stores/${storeId}/menu/${rest}`, { key, ...request }),
  };
}

export function itemsOf({ body }: Answer<Tree>): readonly TreeItem[] {
  return body.menu_configuration.flatMap((menu) => menu.categories.flatMap((category) => category.items));
}
