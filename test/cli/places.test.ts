import { link, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeSheet } from '../../src/guest/code-sheet.js';
import { guestClient, openForGuests, type PlaceBody } from '../harness/guest.js';
import { useService } from '../harness/service.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { comanda } from './command-line.js';

const service = await useService();
const folder = makeTestFolder();
const { storeId, key, manage, place } = await openForGuests(service);
const run = (...words: string[]) => comanda(['--url', service.url, '--key', key, ...words]);
const places = async () => (await manage<PlaceBody[]>('GET', '/places')).body;

it('adds a range of places, lists, rotates and removes them', async () => {
  const added = await run('places', 'add', storeId, 'Bar {1..3}');
  expect([added.code, added.out.match(/^Bar \d(?=\s)/gm)]).toEqual([0, ['Bar 1', 'Bar 2', 'Bar 3']]);
  const before = await places();
  expect(before.map(({ label, kind }) => [label, kind])).toEqual([
    ['Table 7', 'table'],
    ['Bar 1', 'table'],
    ['Bar 2', 'table'],
    ['Bar 3', 'table'],
  ]);
  const listed = await run('places', 'list', storeId);
  for (const { url } of before) expect(listed.out).toContain(url);
  expect((await run('places', 'rotate', storeId, 'Bar 2', '--yes')).code).toBe(0);
  expect((await places())[2]?.code).not.toBe(before[2]?.code);
  expect((await run('places', 'rotate', storeId, 'Bar 2')).code).toBe(2);
  const removed = await run('places', 'remove', storeId, 'Bar 3', '--yes');
  expect([removed.code, removed.out]).toEqual([0, 'Removed Bar 3.\n']);
  expect(await places()).toHaveLength(3);
  expect((await run('places', 'remove', storeId, 'Bar 3', '--yes')).code).toBe(5);
  expect((await run('places', 'add', storeId, 'Bar {3..1}')).code).toBe(2);
});

it('shows the bill of a table and records that it was paid, once it is confirmed', async () => {
  expect((await run('places', 'bill', storeId, 'Table 7')).out).toBe('');
  const nothing = await run('places', 'bill', storeId, 'Table 7', '--settle', 'card');
  expect([nothing.code, nothing.out]).toEqual([0, 'Nothing is due.\n']);
  const guest = guestClient(service);
  const made = [await guest.order(place.code), await guest.order(place.code)];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  const shown = await run('places', 'bill', storeId, 'Table 7');
  expect([shown.code, shown.out.match(/PENDING\s+\S+\s*\S*\s+2\.32/g)?.length]).toEqual([0, 2]);
  expect((await run('places', 'bill', storeId, 'Table 7', '--settle', 'card')).code).toBe(2);
  const paid = await run('places', 'bill', storeId, 'Table 7', '--settle', 'card', '--yes');
  expect([paid.code, paid.out]).toEqual([0, 'Table 7: 2 orders paid, 4.64 EUR.\n']);
  expect((await run('places', 'bill', storeId, 'Table 7')).out).toBe('');
});

const WORDS = { title: 'Centro', languages: ['es', 'en'] };

it('writes a sheet of the active codes, with another address where guests use another', async () => {
  const file = join(folder, 'codes.svg');
  const active = await places();
  await manage('PATCH', `/places/${active[1]?.id ?? ''}`, { status: 'disabled' });
  await writeFile(file, 'the codes of last year');
  await link(file, join(folder, 'linked.svg'));
  const written = await run('places', 'qr', storeId, '-o', file);
  expect(written.code).toBe(0);
  const expected = active.filter((_, i) => i !== 1).map(({ label, url }) => ({ label, url }));
  expect(await readFile(file, 'utf8')).toBe(codeSheet(expected, WORDS));
  expect(await readFile(join(folder, 'linked.svg'), 'utf8')).toBe('the codes of last year');
  const elsewhere = await run('places', 'qr', storeId, '--address', 'https://eat.example');
  expect(elsewhere.out).toBe(
    codeSheet(
      active
        .filter((_, i) => i !== 1)
        .map(({ label, code }) => ({ label, url: `https://eat.example/order/${code}` })),
      WORDS,
    ),
  );
  expect(elsewhere.out).toContain(`data-label="${place.label}"`);
  // The menu is in English too, which the store's name need not be.
  await manage('PATCH', '', { name: { translations: { es: 'Centro' } } });
  expect((await run('places', 'qr', storeId)).out).toContain('Escanee para pedir · Scan to order');
});
