import { ask, type Answer } from './client.js';
import type { Service } from './service.js';
import type { Tenant } from './tenant.js';

export interface OrderBody {
  readonly id: string;
  readonly created_at: string;
  readonly status: string;
  readonly customer: { readonly name: string; readonly phone: string };
  readonly completed_at?: string;
  readonly [more: string]: unknown;
}

export interface OrderListBody {
  readonly page_index: number;
  readonly page_size: number;
  readonly count: number;
  readonly order_result_list: readonly OrderBody[];
}

/** Late enough for any kitchen: checked orders are refused when they are to be ready sooner than they can be. */
export const LATER = '2036-03-01T12:30:00.000Z';

/** An order of the manage side as the interface shows it. */
export function onV1(order: object): object {
  const {
    revision: _1,
    updated_at: _2,
    number: _3,
    due: _4,
    external_id: _5,
    ...shown
  } = order as Record<string, unknown>;
  return shown;
}

/** An intake with everything that must be there, and what the test wants different. */
export function orderRequest(more: object = {}): Record<string, unknown> {
  return {
    customer: { name: 'Łukasz Nowak', phone: '+48 22 555 01 23' },
    items: [{ external_id: 'latte', name: 'Latte', quantity: 1, price: 390, tax: 39, modifiers: [] }],
    price: 390,
    tax: 39,
    ready_by: '2026-03-01T12:30:00.000Z',
    ...more,
  };
}

export function takeIn(
  service: Service,
  { storeId, key }: Pick<Tenant, 'storeId' | 'key'>,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<Answer<OrderBody>> {
  const url = `${service.url}/manage/v1/stores/${storeId}/orders`;
  return ask<OrderBody>(url, { method: 'POST', key, body: orderRequest(more), headers });
}

export function patch(service: Service, key: string, id: string, body: object): Promise<Answer<OrderBody>> {
  return ask<OrderBody>(`${service.url}/manage/v1/orders/${id}`, { method: 'PATCH', key, body });
}

export function list(
  service: Service,
  { storeId, key }: Tenant,
  query: Readonly<Record<string, string>> | string = '',
): Promise<Answer<OrderListBody>> {
  const search = typeof query === 'string' ? query : new URLSearchParams(query).toString();
  return ask<OrderListBody>(`${service.url}/v1/stores/${storeId}/orders/?${search}`, { key });
}

/** The ids of a list, whose answer must be 200. */
export async function listIds(
  service: Service,
  tenant: Tenant,
  query: Readonly<Record<string, string>> | string = '',
): Promise<string[]> {
  const { status, body } = await list(service, tenant, query);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.order_result_list.map(({ id }) => id);
}

export interface ImportReportBody {
  readonly created: number;
  readonly existing: number;
  readonly refused: number;
  readonly errors: readonly { readonly line: number; readonly detail: unknown }[];
}

export function importLines(
  service: Service,
  key: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answer<ImportReportBody>> {
  return ask<ImportReportBody>(`${service.url}/manage/v1/orders/import`, {
    method: 'POST',
    key,
    body,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  });
}
