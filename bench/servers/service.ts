import { fileURLToPath } from 'node:url';
import type { BenchDatabase, BenchPostgres } from './postgres.js';
import { startServer, type Server } from './programs.js';

/** The service as anyone runs it: built code, default log level, real keys, the rate limits on but out of the way. */
export interface Service extends Server {
  ask<T>(path: string, options?: Ask): Promise<T>;
}

interface Ask {
  readonly method?: string;
  readonly key?: string;
  readonly body?: object | string | undefined;
}

/** A service, its database, and a merchant with a key. */
export interface Setting {
  readonly database: BenchDatabase;
  readonly service: Service;
  readonly tenant: { readonly merchantId: string; readonly key: string };
}

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}

const START = fileURLToPath(new URL('../../../scripts/start.js', import.meta.url));
export const OPERATOR_KEY = 'operator-key-of-the-benchmarks-0123456789';
const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  COMANDA_OPERATOR_KEY: OPERATOR_KEY,
  COMANDA_DEMO: 'off',
  COMANDA_RATE_LIMIT: '1000000',
  COMANDA_RATE_BURST: '1000000000',
  COMANDA_MENU_POSTS_PER_MINUTE: '1000000000',
  COMANDA_WEBHOOK_ALLOW: '127.0.0.0/8',
};
const PERMISSIONS = ['read', 'menu:write', 'stock:write', 'orders:write'];

export async function startService({ env = {}, nodeArgs = [] }: ServiceOptions): Promise<Service> {
  const server = await startServer(START, [], { ...SETTINGS, ...env }, nodeArgs);
  return { ...server, ask: (path, options) => askJson(server.port, path, options) };
}

export async function createSetting(
  postgres: BenchPostgres,
  folder: string,
  { env = {}, nodeArgs = [] }: ServiceOptions = {},
): Promise<Setting> {
  const database = await postgres.createDatabase();
  const settings = { DATABASE_URL: database.url, COMANDA_DATA_DIR: folder, ...env };
  const service = await startService({ env: settings, nodeArgs });
  return { database, service, tenant: await createTenant(service) };
}

/** A merchant with a key of its own, as every client has one. */
export async function createTenant(service: Service): Promise<Setting['tenant']> {
  const { id } = await service.ask<{ id: string }>('/manage/v1/merchants', { body: { brand_name: 'Bench' } });
  const body = { merchant_id: id, permissions: PERMISSIONS };
  const { key } = await service.ask<{ key: string }>('/manage/v1/keys', { body });
  return { merchantId: id, key };
}

export async function createStore({ service, tenant }: Setting): Promise<string> {
  const name = { translations: { en: 'Bench' } };
  const body = { merchant_id: tenant.merchantId, name, timezone: 'Europe/Warsaw' };
  return (await service.ask<{ id: string }>('/manage/v1/stores', { body })).id;
}

export async function takeInOrder(
  { service, tenant }: Setting,
  storeId: string,
  body: object,
): Promise<string> {
  const path = `/manage/v1/stores/${storeId}/orders`;
  return (await service.ask<{ id: string }>(path, { key: tenant.key, body })).id;
}

/** Publishes a menu in a new store and returns the store's id. */
export async function publishMenu(setting: Setting, menu: string): Promise<string> {
  const storeId = await createStore(setting);
  await setting.service.ask(treePath(storeId), { key: setting.tenant.key, body: menu });
  return storeId;
}

export function treePath(storeId: string): string {
  return `/v1/stores/${storeId}/menu_configuration/`;
}

export async function askJson<T>(port: number, path: string, options: Ask = {}): Promise<T> {
  const { key = OPERATOR_KEY, body } = options;
  const { method = body === undefined ? 'GET' : 'POST' } = options;
  const content = typeof body === 'object' ? JSON.stringify(body) : (body ?? null);
  const headers = { 'x-api-key': key, ...(content === null ? {} : { 'content-type': 'application/json' }) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: content });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 500)}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
