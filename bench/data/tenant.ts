import type { Service } from '../servers/service.js';

export interface Tenant {
  readonly merchantId: string;
  readonly key: string;
  readonly keyId: string;
}

const PERMISSIONS = ['read', 'menu:write', 'stock:write', 'orders:write'];

/** A merchant and a key of its own, as every client of the service has one. */
export async function createTenant(service: Service): Promise<Tenant> {
  const { id } = await service.ask<{ id: string }>({
    path: '/manage/v1/merchants',
    body: { brand_name: 'Bench' },
  });
  const { key, id: keyId } = await service.ask<{ key: string; id: string }>({
    path: '/manage/v1/keys',
    body: { merchant_id: id, permissions: PERMISSIONS },
  });
  return { merchantId: id, key, keyId };
}

export async function createStore(service: Service, { merchantId }: Tenant, name: string): Promise<string> {
  const { id } = await service.ask<{ id: string }>({
    path: '/manage/v1/stores',
    body: { merchant_id: merchantId, name: { translations: { en: name } }, timezone: 'Europe/Warsaw' },
  });
  return id;
}
