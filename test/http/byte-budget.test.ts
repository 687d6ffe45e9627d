import { expect, it } from 'vitest';
import { createByteBudget } from '../../src/http/byte-budget.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function watch() {
  const takeRoom = createByteBudget({ perOwner: 100, total: 700 });
  const begun: string[] = [];
  const releases = new Map<string, () => void>();
  const take = (name: string, owner: string, bytes: number) =>
    void takeRoom(owner, bytes).then((release) => {
      begun.push(name);
      releases.set(name, release);
    });
  const release = async (name: string) => {
    releases.get(name)?.();
    await turn();
  };
  return { take, release, begun };
}

it('lets an owner have so many bytes at once, the rest in their order', async () => {
  const { take, release, begun } = watch();
  take('a', 'me', 60);
  take('b', 'me', 40);
  take('c', 'me', 50);
  take('d', 'me', 1);
  await turn();
  expect(begun).toEqual(['a', 'b']);
  await release('b');
  expect(begun).toEqual(['a', 'b']);
  await release('a');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

it('lets nobody wait for another owner, and one that is larger than all go alone', async () => {
  const { take, release, begun } = watch();
  take('large', 'me', 500);
  take('next', 'me', 1);
  take('other', 'you', 100);
  await turn();
  expect(begun).toEqual(['large', 'other']);
  await release('large');
  expect(begun).toEqual(['large', 'other', 'next']);
});

it('gives what all share to the owners in turn', async () => {
  const { take, release, begun } = watch();
  take('large', 'me', 700);
  for (const name of ['a', 'b', 'c']) take(name, 'me', 40);
  take('other', 'you', 40);
  await turn();
  expect(begun).toEqual(['large']);
  await release('large');
  expect(begun).toEqual(['large', 'a', 'other', 'b']);
});
