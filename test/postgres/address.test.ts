import { expect, it } from 'vitest';
import { parseDatabaseAddress } from '../../src/postgres/address.js';

it.each([
  ['postgres://me:p%40ss@db.example:5433/comanda', ['postgres://me:p%40ss@db.example:5433/comanda'], false],
  ['postgres://me@a/c?sslmode=require', ['postgres://me@a/c?sslmode=require'], false],
  [
    'postgresql://me:pw@a:5432,b:5433,[::1]:5434/c?target_session_attrs=read-write&sslmode=require',
    [
      'postgresql://me:pw@a:5432/c?sslmode=require',
      'postgresql://me:pw@b:5433/c?sslmode=require',
      'postgresql://me:pw@[::1]:5434/c?sslmode=require',
    ],
    true,
  ],
  [
    'postgres://me@/c?host=/run/one,b&port=5432,5433&target_session_attrs=primary',
    ['postgres://me@localhost/c?port=5432&host=%2Frun%2Fone', 'postgres://me@localhost/c?port=5433&host=b'],
    true,
  ],
  [
    'postgres:///c?host=a,b&target_session_attrs=any',
    ['postgres://localhost/c?host=a', 'postgres://localhost/c?host=b'],
    false,
  ],
])('%s is these servers', (text, servers, mustWrite) => {
  expect(parseDatabaseAddress(text)).toMatchObject({ servers, mustWrite });
});

it('can be shown without user and password', () => {
  const placeOf = (text: string) => parseDatabaseAddress(text)?.place;
  expect(placeOf('postgres://me:secret@db.example:5433/comanda')).toBe('db.example:5433/comanda');
  expect(placeOf('postgres:///comanda?host=/run/postgresql')).toBe('/run/postgresql/comanda');
  expect(placeOf('postgres://me:secret@a:1,b:2/comanda')).toBe('a:1,b:2/comanda');
});

it.each([
  'mysql://a/b',
  'postgres://a:b@c@/d/e@f',
  // A password with a slash in it would pass for a port and the name of a database, which is shown.
  'postgres://me:123/secret@db.example/c',
  'postgres://a:port/b',
  'postgres://a,,b/c',
  'postgres://a,b/c?port=1,2,3',
  'postgres://a,b/c?target_session_attrs=prefer-standby',
])('%s is none', (text) => {
  expect(parseDatabaseAddress(text)).toBeUndefined();
});
