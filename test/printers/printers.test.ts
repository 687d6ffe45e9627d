import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { openForPaper, type PrinterBody } from '../harness/printer.js';
import { useService } from '../harness/service.js';
import { createKey } from '../harness/tenant.js';

const service = await useService();

it('adds, lists, shows, changes, rotates and removes printers', async () => {
  const { manage, addPrinter } = await openForPaper(service);
  const made = await addPrinter({ services: ['dine_in'], prep_types: ['bar'], language: 'es' });
  expect(made).toEqual({
    id: made.id,
    label: 'Kitchen',
    protocol: 'cloudprnt',
    prints: 'kitchen',
    on: 'accepted',
    columns: 42,
    copies: 1,
    services: ['dine_in'],
    prep_types: ['bar'],
    language: 'es',
    url: made.url,
    created_at: made['created_at'],
  });
  expect(made.url).toMatch(new RegExp(`^${service.url}/print/[a-z2-7]{26}$`));
  const path = `/printers/${made.id}`;
  expect((await manage('GET', '/printers')).body).toEqual([made]);
  expect((await manage('GET', path)).body).toEqual({
    ...made,
    online: false,
    paper: 'unknown',
    cover: 'unknown',
    behind: 0,
  });
  const { services: _, ...changed }: Record<string, unknown> = { ...made, label: 'Bar', columns: 32 };
  expect((await manage('PATCH', path, { label: 'Bar', columns: 32, services: null })).body).toEqual(changed);
  const rotated = await manage<PrinterBody>('POST', `${path}/rotate`);
  expect(rotated.body).toEqual({ ...changed, url: rotated.body.url });
  expect(rotated.body.url).not.toBe(made.url);
  expect((await manage('DELETE', path)).status).toBe(204);
  expect((await manage('DELETE', path)).body).toEqual({ detail: 'Printer not found' });
  expect((await manage('GET', '/printers')).body).toEqual([]);
});

it('takes the permission store:write, and orders:write to print a copy', async () => {
  const { merchantId, storeId, addPrinter } = await openForPaper(service);
  const { id } = await addPrinter();
  const { key } = await createKey(service, { merchant_id: merchantId, permissions: ['read'] });
  const url = `${service.url}/manage/v1/stores/${storeId}/printers`;
  for (const [method, path] of [
    ['POST', url],
    ['PATCH', `${url}/${id}`],
    ['POST', `${url}/${id}/rotate`],
    ['POST', `${url}/${id}/test`],
    ['DELETE', `${url}/${id}`],
  ] as const)
    expect([method, (await ask(path, { method, key })).status]).toEqual([method, 403]);
  const { body: listed } = await ask<PrinterBody[]>(url, { key });
  expect(listed.map((printer) => [printer.id, printer.url])).toEqual([[id, undefined]]);
  expect((await ask<PrinterBody>(`${url}/${id}`, { key })).body.url).toBeUndefined();
});

it('has at most fifty printers a store', async () => {
  const { manage, addPrinter } = await openForPaper(service);
  for (let made = 0; made < 50; made += 1) await addPrinter({ label: `${made}` });
  const more = await manage('POST', '/printers', { label: 'One more', protocol: 'epson' });
  expect([more.status, more.body]).toEqual([409, { detail: 'A store has at most 50 printers' }]);
});

it('says all that is wrong with a printer', async () => {
  const { manage } = await openForPaper(service);
  const { status, body } = await manage<{ detail: { loc: unknown[] }[] }>('POST', '/printers', {
    label: '',
    protocol: 'usb',
    columns: 40,
    copies: 4,
    prep_types: [],
    services: ['drive_in'],
    colour: 'red',
  });
  expect(status).toBe(422);
  expect(body.detail.map(({ loc }) => loc.slice(0, 2).join('.')).sort()).toEqual([
    'body.colour',
    'body.columns',
    'body.copies',
    'body.label',
    'body.prep_types',
    'body.protocol',
    'body.services',
  ]);
});

it('keeps printers through a backup, and ends them with their store', async () => {
  const { addPrinter, storeId } = await openForPaper(service);
  const { url } = await addPrinter();
  const code = url.slice(-26);
  const operator = { key: service.operatorKey };
  expect((await ask<string>(`${service.url}/manage/v1/backup`, operator)).body).toContain(code);
  await ask(`${service.url}/manage/v1/stores/${storeId}?force=true`, { method: 'DELETE', ...operator });
  expect((await ask(url, { method: 'POST', body: {} })).body).toEqual({ detail: 'Printer not found' });
  expect((await ask<string>(`${service.url}/manage/v1/backup`, operator)).body).not.toContain(code);
});
