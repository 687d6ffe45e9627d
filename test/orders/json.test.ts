import { expect, it } from 'vitest';
import { instant } from '../../src/orders/json.sql.js';

it('reads an instant as the database writes it, also on a connection that has lost its time zone', () => {
  expect(instant('2026-01-02 03:04:05+00')).toBe('2026-01-02T03:04:05.000Z');
  expect(instant('2026-01-02 03:04:05.12+00')).toBe('2026-01-02T03:04:05.120Z');
  expect(instant('0001-01-01 00:00:00+00')).toBe('0001-01-01T00:00:00.000Z');
  expect(instant('2026-01-02 05:04:05.12+02')).toBe('2026-01-02T03:04:05.120Z');
  expect(instant('2026-01-01 23:34:05.123-03:30')).toBe('2026-01-02T03:04:05.123Z');
});
