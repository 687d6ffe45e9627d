import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../migrations/', import.meta.url);

/** Those of 0.1.0, which are never edited. */
const RELEASED = 13;

/** Tables that stay so small that nobody notices an index being built. */
const SMALL = ['api_keys', 'console_sessions', 'menu_publications', 'merchants', 'stores', 'webhooks'];

/** What in the text of a migration would block those who use a table while it is read or rewritten. */
function blockingSteps(text: string): string[] {
  const isOutside = text.startsWith('-- outside a transaction\n');
  const created = [...text.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gm)].map(([, name]) => name);
  const isFree = (table: string | undefined) => created.includes(table) || SMALL.includes(table ?? '');
  const steps = text.replaceAll(/^--.*$/gm, '').split(/;\s*\n/);
  return steps
    .map((step) => step.trim())
    .filter((step) => {
      const index =
        /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+(CONCURRENTLY\s+)?(?:IF NOT EXISTS\s+)?(?:\w+\s+)?ON\s+(?:ONLY\s+)?(\w+)/i.exec(
          step,
        );
      if (index !== null) return !isFree(index[2]) && !(isOutside && index[1] !== undefined);
      const table = /^ALTER TABLE (?:ONLY )?(\w+)/.exec(step)?.[1];
      if (table === undefined || isFree(table)) return false;
      return (
        !isOutside || /SET NOT NULL|ADD (?:CONSTRAINT|CHECK|UNIQUE|PRIMARY)|SET DATA TYPE|\bTYPE\b/.test(step)
      );
    });
}

it('no migration since 0.1.0 blocks those who use a large table while it reads or rewrites it', async () => {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_/.test(name)).sort();
  expect(names.length).toBeGreaterThan(RELEASED);
  for (const name of names.slice(RELEASED)) {
    const text = await readFile(new URL(name, FOLDER), 'utf8');
    expect([name, blockingSteps(text)]).toEqual([name, []]);
    // A step may run twice.
    if (text.startsWith('-- outside a transaction\n'))
      for (const [statement] of text.matchAll(
        /^.*\b(?:ADD COLUMN|CREATE TABLE|(?:CREATE|DROP) .*INDEX)\b.*$/gm,
      ))
        expect(statement).toMatch(/IF (?:NOT )?EXISTS/);
  }
});

it.each([
  'CREATE INDEX orders_by_price ON orders (price);\n',
  'CREATE UNIQUE INDEX orders_by_price ON orders (price);\n',
  'CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_price ON orders (price);\n',
  '-- outside a transaction\nCREATE INDEX IF NOT EXISTS orders_by_price ON orders (price);\n',
  'CREATE INDEX ON orders (price);\n',
  'create unique index\n  orders_by_price on only orders (price);\n',
  'ALTER TABLE orders ADD COLUMN tip bigint;\n',
  '-- outside a transaction\nALTER TABLE orders ALTER COLUMN price SET DATA TYPE numeric;\n',
  '-- outside a transaction\nALTER TABLE orders ALTER COLUMN reason SET NOT NULL;\n',
])('and %j would', (text) => {
  expect(blockingSteps(text)).toHaveLength(1);
});

it.each([
  'CREATE TABLE tips (n integer);\nCREATE INDEX tips_by_n ON tips (n);\n',
  '-- outside a transaction\nALTER TABLE orders ADD COLUMN IF NOT EXISTS tip bigint;\n',
  '-- outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_price\n  ON orders (price);\n',
])('and %j would not', (text) => {
  expect(blockingSteps(text)).toEqual([]);
});
