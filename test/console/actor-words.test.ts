import './speak-english.js';
import { expect, it } from 'vitest';

const { actorWord } = await import('../../console/src/text/actor-words.js');

it('names those who act without a key, and calls only an unknown key deleted', () => {
  const ids = ['guest', 'demo', 'operator', undefined, 'other'];
  expect(ids.map((id) => actorWord(id, undefined))).toEqual([
    'A guest',
    'Demo',
    'The operator',
    'Automatically',
    'Deleted key',
  ]);
  expect(actorWord('other', 'Kitchen tablet')).toBe('Kitchen tablet');
});
