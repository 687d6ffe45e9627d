import { describe, expect, it } from 'vitest';
import { toMoney } from '../../src/cli/money.js';
import { toLocalTime, toMoment } from '../../src/cli/times.js';

const NOW = Date.parse('2026-03-29T10:00:00Z');

describe('toMoment', () => {
  it.each([
    ['90m', 'UTC', '2026-03-29T08:30:00.000Z'],
    ['7d', 'UTC', '2026-03-22T10:00:00.000Z'],
    ['today', 'UTC', '2026-03-29T00:00:00.000Z'],
    // The hour changes on this very day: midnight was still winter time.
    ['today', 'Europe/Madrid', '2026-03-28T23:00:00.000Z'],
    ['yesterday', 'Europe/Madrid', '2026-03-27T23:00:00.000Z'],
    ['today', 'Asia/Tokyo', '2026-03-28T15:00:00.000Z'],
    ['2026-07-01', 'America/New_York', '2026-07-01T04:00:00.000Z'],
    ['2026-07-01T12:00:00+02:00', 'Asia/Tokyo', '2026-07-01T12:00:00+02:00'],
  ])('%s in %s', (text, timezone, moment) => {
    expect(toMoment(text, timezone, NOW)).toBe(moment);
  });

  it('refuses what is no moment', () => {
    expect(() => toMoment('soon')).toThrow('no moment');
  });
});

describe('toLocalTime', () => {
  it('shows the time of the place', () => {
    expect(toLocalTime('2026-07-01T22:30:00.000Z', 'Europe/Madrid')).toBe('2026-07-02 00:30');
  });
});

it('tells time and money of a row at a fraction of what it takes to make the formats for them', () => {
  const took = (work: (at: number) => unknown) => {
    const begun = performance.now();
    for (let at = 0; at < 2_000; at += 1) work(at);
    return performance.now() - begun;
  };
  const currency = 'EUR';
  const make = [
    () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }),
    () => new Intl.NumberFormat('en', { style: 'currency', currency }),
  ].map(took);
  const show = [
    (at: number) => toLocalTime(new Date(at * 60_000).toISOString(), 'Asia/Tokyo'),
    (at: number) => toMoney(at, currency),
  ].map(took);
  show.forEach((time, at) => expect(time).toBeLessThan((make[at] ?? 0) / 2));
});
