import { describe, expect, it } from 'vitest';
import { toLocalTime, toMoment, toWallMoment } from '../../src/cli/lib/locale.js';

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

  it('rejects what is not a time', () => {
    expect(() => toMoment('soon')).toThrow('Invalid time: soon');
  });
});

describe('toWallMoment', () => {
  it.each([
    ['2027-01-01 05:00', 'Europe/Madrid', '2027-01-01T04:00:00.000Z'],
    ['2027-07-01T05:00', 'Europe/Madrid', '2027-07-01T03:00:00.000Z'],
    // The first of an hour that comes twice, on either side of Greenwich.
    ['2026-10-25 02:30', 'Europe/Madrid', '2026-10-25T00:30:00.000Z'],
    ['2026-11-01 01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    // The clock jumps from 02:00 to 03:00: half an hour after that.
    ['2026-03-29 02:30', 'Europe/Madrid', '2026-03-29T01:30:00.000Z'],
    ['2026-03-08 02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['2026-03-29 03:00', 'Europe/Madrid', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25 03:00', 'Europe/Madrid', '2026-10-25T02:00:00.000Z'],
    ['2027-01-01T05:00:00+09:00', 'Europe/Madrid', '2026-12-31T20:00:00.000Z'],
  ])('%s in %s', (text, timezone, moment) => {
    expect(toWallMoment(text, timezone)).toBe(moment);
  });

  it.each(['soon', '2027-01-01', '2027-13-01 05:00', '05:00'])('rejects %s', (text) => {
    expect(() => toWallMoment(text, 'UTC')).toThrow(`Invalid time: ${text}`);
  });
});

describe('toLocalTime', () => {
  it('shows the time of the place', () => {
    expect(toLocalTime('2026-07-01T22:30:00.000Z', 'Europe/Madrid')).toBe('2026-07-02 00:30');
  });
});
