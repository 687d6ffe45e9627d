import { describe, expect, it } from 'vitest';
import { cutText, shortInput } from '../../src/support/error-details.js';

describe('cutText', () => {
  it('leaves a text alone that is short enough, by code points', () => {
    expect(cutText('abcde', 5)).toBe('abcde');
    expect(cutText('🍕'.repeat(5), 5)).toBe('🍕'.repeat(5));
  });

  it('leaves out the middle, and splits no character', () => {
    expect(cutText('abcdef', 5)).toBe('ab…ef');
    expect(cutText('🍕🍔🍟🌭🍿🧂', 5)).toBe('🍕🍔…🍿🧂');
    expect(cutText('a🍔🍟🌭🍿z', 5)).toBe('a🍔…🍿z');
    expect(cutText(`${'x'.repeat(300)}1`, 200)).not.toBe(cutText(`${'x'.repeat(300)}2`, 200));
  });
});

describe('shortInput', () => {
  it.each([[null], [true], [1.5], ['x'], [[]], [{}], [{ a: [1, 'b', { c: null }] }]])(
    'echoes %j',
    (value) => {
      expect(shortInput(value)).toEqual(value);
    },
  );

  it.each([
    [['x'.repeat(300)]],
    [{ ['x'.repeat(300)]: 1 }],
    [Array.from({ length: 1000 }, () => 1)],
    [{ a: { b: { c: ['\n'.repeat(120)] } } }],
  ])('shows nothing of a long list or map', (value) => {
    expect(shortInput(value)).toBeUndefined();
  });

  it('echoes at most 200 characters', () => {
    const text = shortInput('x'.repeat(10_000)) as string;
    expect(text).toBe(`${'x'.repeat(100)}…${'x'.repeat(99)}`);
  });

  it('spends little on a value of many megabytes', () => {
    const huge = Array.from({ length: 1_000_000 }, () => ({ a: 'b' }));
    shortInput(huge);
    const started = performance.now();
    JSON.stringify(huge);
    const whole = performance.now() - started;
    const restarted = performance.now();
    expect(shortInput(huge)).toBeUndefined();
    expect(performance.now() - restarted).toBeLessThan(whole);
  });
});
