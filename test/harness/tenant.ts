import { ask } from './client.js';
import type { Service as WholeService } from './service.js';

type Service = Pick<WholeService, 'url' | 'operatorKey'>;

export interface Tenant {
  readonly merchantId: string;
  readonly storeId: string;
  readonly key: string;
  readonly keyId: string;
}

const ALL = ['read', 'menu:write', 'stock:write', 'orders:write', 'webhooks:write'];

/** A merchant of the test's own, with one store and a key that may do all a merchant may. */
export async function createTenant(service: Service, permissions: readonly string[] = ALL): Promise<Tenant> {
  const merchantId = await createMerchant(service);
  const storeId = await createStore(service, merchantId);
  const { id, key } = await createKey(service, { merchant_id: merchantId, permissions });
  return { merchantId, storeId, key, keyId: id };
}

export async function createMerchant(service: Service, brandName = 'Casa Comanda'): Promise<string> {
  const { id } = await create<{ id: string }>(service, 'merchants', { brand_name: brandName });
  return id;
}

export async function createStore(service: Service, merchantId: string, more: object = {}): Promise<string> {
  const name = { translations: { en: 'Centro' } };
  const { id } = await create<{ id: string }>(service, 'stores', { merchant_id: merchantId, name, ...more });
  return id;
}

export function createKey(service: Service, wanted: object): Promise<{ id: string; key: string }> {
  return create(service, 'keys', wanted);
}

async function create<T>(service: Service, noun: string, body: object): Promise<T> {
  const answer = await ask<T>(`${service.url}/manage/v1/${noun}`, {
    method: 'POST',
    key: service.operatorKey,
    body,
  });
  if (answer.status !== 201) throw new Error(`${noun}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The number under which the database has the store. */
export async function storeKeyOf(
  { db }: Pick<WholeService, 'db'>,
  { storeId }: Pick<Tenant, 'storeId'>,
): Promise<number> {
  const [row] = await db.query<{ store_key: number }>({
    name: 'test-store-key',
    text: 'SELECT store_key FROM stores WHERE id = $1',
    values: [storeId],
  });
  if (row === undefined) throw new Error(`There is no store ${storeId}`);
  return row.store_key;
}
