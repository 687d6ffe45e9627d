import { describe, expect, it } from 'vitest';
import { ar } from '../../guest/src/phrases/ar.js';
import { de } from '../../guest/src/phrases/de.js';
import { en } from '../../guest/src/phrases/en.js';
import { es } from '../../guest/src/phrases/es.js';
import { fr } from '../../guest/src/phrases/fr.js';
import { pt } from '../../guest/src/phrases/pt.js';

const blanks = (phrase: string) => [...phrase.matchAll(/\{\w+\}/g)].map(([blank]) => blank).sort();

describe.each(Object.entries({ ar, de, es, fr, pt }))('the phrases in %s', (_, phrases) => {
  it('are those of English, with the same blanks to fill in', () => {
    expect(Object.keys(phrases).sort()).toEqual(Object.keys(en).sort());
    for (const [name, phrase] of Object.entries(phrases)) {
      expect([name, phrase.trim()]).not.toEqual([name, '']);
      expect([name, blanks(phrase)]).toEqual([name, blanks(en[name as keyof typeof en])]);
    }
  });

  it('are not those of English', () => {
    const same = Object.entries(phrases).filter(([name, phrase]) => phrase === en[name as keyof typeof en]);
    // Words that are the same in several languages.
    expect(
      same.map(([name]) => name).filter((name) => !['total', 'menu', 'vegan', 'close'].includes(name)),
    ).toEqual([]);
  });
});
