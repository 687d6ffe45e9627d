import { describe, expect, it } from 'vitest';
import { nameIn } from '../../src/support/languages.js';

describe('a name for the kitchen', () => {
  it.each([
    ['es', { es: 'Café', en: 'Coffee' }, 'Café'],
    ['es', { es: ' ', en: 'Coffee' }, 'Coffee'],
    ['es-ES', { en: 'Coffee', es: 'Café' }, 'Café'],
    ['es', { en: 'Coffee', 'es-MX': 'Café' }, 'Café'],
    [undefined, { en: '', fr: 'Caf\u00e9' }, 'Caf\u00e9'],
    ['es', { es: '', en: '' }, 'coffee'],
    ['es', {}, 'coffee'],
  ])('in %s of %j is %s', (language, translations, name) => {
    expect(nameIn(language, JSON.stringify({ translations }), 'coffee')).toBe(name);
  });
});
