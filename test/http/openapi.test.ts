import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: { name: string; in: string }[];
  responses: Record<string, { description: string; headers?: Record<string, unknown> }>;
}
interface Document {
  openapi: string;
  info: Record<string, unknown>;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, unknown>; required?: string[] }> };
}

const service = await useService();

const read = async (path: string) => (await ask<Document>(service.url + path)).body;

describe.each(['/openapi.json', '/manage/openapi.json', '/guest/openapi.json'])('%s', (path) => {
  it('is valid OpenAPI 3.1', async () => {
    const document = await read(path);
    const { valid, errors } = await new Validator().validate(document as never);
    expect([valid, errors]).toEqual([true, undefined]);
    expect(document.openapi).toMatch(/^3\.1\./);
    // Linters miss these.
    expect(Object.keys(document.info)).toEqual(expect.arrayContaining(['contact', 'description', 'license']));
  });

  it('names every operation once, in a declared tag, with every path parameter and common answer', async () => {
    const document = await read(path);
    const tags = new Set(document.tags.map(({ name }) => name));
    const operations = Object.entries(document.paths).flatMap(([url, methods]) =>
      Object.values(methods).map((operation) => ({ url, ...operation })),
    );
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { url, operationId, summary, tags: own, parameters = [], responses } of operations) {
      expect([operationId, summary.length > 0, own.every((tag) => tags.has(tag))]).toEqual([
        operationId,
        true,
        true,
      ]);
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
      expect([operationId, inPath]).toEqual([operationId, url.match(/\{\w+\}/g) ?? []]);
      const isRepeatable = parameters.some(({ name }) => name === 'Idempotency-Key');
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining([
          '400',
          '414',
          '431',
          ...(url.startsWith('/guest/') ? [] : ['401', '403']),
          '422',
          '429',
          '500',
          '503',
          ...(isRepeatable ? ['409'] : []),
        ]),
      );
      for (const status of ['429', '503'])
        expect([operationId, Object.keys(responses[status]?.headers ?? {})]).toEqual([
          operationId,
          ['Retry-After'],
        ]);
    }
  });

  it('says what every operation does', async () => {
    const { paths } = await read(path);
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const silent = operations.filter(({ description = '' }) => description === '');
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('has no component that nothing refers to, and no reference to nowhere', async () => {
    const document = await read(path);
    const referred = new Set(
      [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name),
    );
    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });
});

it('declares the ETag of every answer that has one', async () => {
  const { paths } = await read('/openapi.json');
  const tagged = Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(([, { headers }]) => headers !== undefined && 'ETag' in headers)
        .map(([status]) => `${method} ${url.replace('/v1/stores/{store_service_id}', '')} ${status}`),
    ),
  );
  expect(tagged).toEqual([
    'post /menu_configuration/ 200',
    'get /menu_configuration/ 200',
    'get /menu_configuration/ 304',
    'get /menu_configuration/flat 200',
    'get /menu_configuration/flat 304',
  ]);
});

it('declares why a restore may be refused', async () => {
  const { paths } = await read('/manage/openapi.json');
  expect(paths['/manage/v1/restore']?.['post']?.responses['409']?.description).toBe(
    'The installation has merchants already, the archive is of another cell or has orders that the sales do not count, another restore is under way, or a newer version has migrated the database',
  );
});

it('describes Store with the exact fields of the interface', async () => {
  const { components } = await read('/openapi.json');
  const { Store, MerchantResponse } = components.schemas;
  expect([Object.keys(Store?.properties ?? {}).sort(), Store?.required]).toEqual([
    [
      'address_line_1',
      'address_line_2',
      'address_line_3',
      'admin_area',
      'city',
      'contacts',
      'country',
      'created_at',
      'external_id',
      'id',
      'location_name',
      'merchant',
      'name',
      'phone_numbers',
      'postal_code',
      'restaurant_configuration',
      'store_phone',
      'store_type',
      'timezone',
    ],
    ['id', 'name'],
  ]);
  expect(MerchantResponse?.required).toEqual(['created_at', 'id', 'brand_name']);
});

/** A component as far as these tests look at it. */
interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

const saysNull = ({ type, anyOf, enum: values }: Shape): boolean =>
  anyOf?.some(saysNull) ??
  (type === undefined || ([type].flat().includes('null') && (values?.includes(null) ?? true)));

it('says of every optional field of a body whether it may be null, as the check takes it', async () => {
  const { merchantId, storeId } = await createTenant(service);
  const document = await read('/manage/openapi.json');
  const seen: string[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    const { requestBody } = (methods['post'] ?? {}) as unknown as {
      requestBody?: { content: Record<string, { schema: Shape; example: Record<string, unknown> }> };
    };
    const { schema, example } = requestBody?.content['application/json'] ?? {};
    const name = schema?.$ref?.split('/').at(-1);
    if (name === undefined || example === undefined) continue;
    const { properties = {}, required = [] } = document.components.schemas[name] as Shape;
    const optional = Object.keys(properties).filter((field) => !required.includes(field));
    const said = optional.filter((field) => saysNull(properties[field] ?? {}));
    const body = {
      ...Object.fromEntries(required.map((field) => [field, example[field]])),
      ...Object.fromEntries(optional.map((field) => [field, null])),
      ...('merchant_id' in properties ? { merchant_id: merchantId } : {}),
    };
    const url = service.url + path.replace('{store_id}', storeId).replace(/\{\w+\}/, storeId);
    const { status, body: answer } = await ask(url, { method: 'POST', key: service.operatorKey, body });
    const refused = status === 422 ? JSON.stringify(answer) : undefined;
    const nullRefused = optional.filter((field) => refused?.includes(`["body","${field}"]`));
    // Only a checked order may leave it out; without `from` there must be a menu.
    const needed = { OrderRequest: ['ready_by'], MenuPublicationCreate: ['from'] }[name] ?? [];
    expect([name, said, nullRefused]).toEqual([name, optional, needed]);
    seen.push(name);
  }
  expect(seen.sort()).toEqual(expect.arrayContaining(['MerchantCreate', 'OrderRequest', 'StoreCreate']));
});

it('`npm run routes` names every operation of the documents and the file that has it', async () => {
  const documents = await Promise.all(
    ['/openapi.json', '/manage/openapi.json', '/guest/openapi.json'].map(read),
  );
  const documented = documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`,
      ),
    ),
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/routes.js']);
  const printed = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/));
  for (const [, , , file = ''] of printed) expect(existsSync(file)).toBe(true);
  const named = printed.map((columns) => columns.slice(0, 3).join(' '));
  // The routes of pages are in no document.
  expect(named.filter((text) => !/ \/(console|order)\//.test(text)).sort()).toEqual(documented.sort());
});
