import { describe, expect, it } from 'vitest';
import { ASK_AGAIN, createBatch, createBatches } from '../../src/postgres/batch.js';

interface Query {
  readonly asks: readonly string[];
  answer(): void;
  fail(error: Error): void;
}

/** A batch whose queries wait to be answered by the test; `!` is refused. */
function createWaitingBatch() {
  const queries: Query[] = [];
  const ask = createBatch<string, string>({
    identityOf: (text) => text,
    run: (asks) =>
      new Promise((resolve, reject) => {
        const answers = asks.map((text) => (text === '!' ? new Error('refused') : `answer to ${text}`));
        queries.push({ asks, answer: () => resolve(answers), fail: reject });
      }),
  });
  return { ask, queries };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('a batch', () => {
  it('puts what is asked in one turn into one query, the same ask once', async () => {
    const { ask, queries } = createWaitingBatch();
    const answers = Promise.all(['a', 'b', 'a'].map(ask));
    await turn();
    expect(queries.map(({ asks }) => asks)).toEqual([['a', 'b']]);
    queries[0]?.answer();
    expect(await answers).toEqual(['answer to a', 'answer to b', 'answer to a']);
  });

  it('never answers from a query that began before the ask', async () => {
    const { ask, queries } = createWaitingBatch();
    const early = ask('a');
    await turn();
    const late = [ask('a'), ask('b')];
    let isLateAnswered = false;
    void late[0]?.then(() => (isLateAnswered = true));
    queries[0]?.answer();
    await early;
    await turn();
    expect([isLateAnswered, queries[1]?.asks]).toEqual([false, ['a', 'b']]);
    queries[1]?.answer();
    expect(await Promise.all(late)).toEqual(['answer to a', 'answer to b']);
  });

  it('refuses one ask without the others', async () => {
    const { ask, queries } = createWaitingBatch();
    const answers = Promise.allSettled(['a', '!'].map(ask));
    await turn();
    queries[0]?.answer();
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('tells all of a query that failed, and goes on', async () => {
    const { ask, queries } = createWaitingBatch();
    const lost = Promise.allSettled(['a', 'b'].map(ask));
    await turn();
    queries[0]?.fail(new Error('away'));
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = ask('a');
    await turn();
    queries[1]?.answer();
    expect(await next).toBe('answer to a');
  });

  it('asks for at most 256 at once', async () => {
    const { ask, queries } = createWaitingBatch();
    const answers = Promise.all(Array.from({ length: 300 }, (_, i) => ask(String(i))));
    await turn();
    queries[0]?.answer();
    await turn();
    queries[1]?.answer();
    expect(await answers).toHaveLength(300);
    expect(queries.map(({ asks }) => asks.length)).toEqual([256, 44]);
  });

  it('that has a rhythm gathers what is asked between two beats, and lets the first begin at once', async () => {
    const runs: { readonly asks: readonly string[]; readonly at: number }[] = [];
    const ask = createBatch<string, string>({
      everyMs: 200,
      run: (asks) => {
        runs.push({ asks, at: performance.now() });
        return Promise.resolve(asks);
      },
    });
    expect(await ask('a')).toBe('a');
    expect(await Promise.all([ask('b'), turn().then(() => ask('c'))])).toEqual(['b', 'c']);
    expect(runs.map(({ asks }) => asks)).toEqual([['a'], ['b', 'c']]);
    expect((runs[1]?.at ?? 0) - (runs[0]?.at ?? 0)).toBeGreaterThan(150);
  });

  it('asks again for what was put off, and leaves for later what was not chosen, each before what came after it', async () => {
    const runs: string[][] = [];
    const ask = createBatch<{ readonly text: string }, string>({
      choose: (waiting) => waiting.map(({ text }, i) => i === 0 || text !== 'later'),
      run: (asks) => {
        runs.push(asks.map(({ text }) => text));
        const isFirst = runs.length === 1;
        return Promise.resolve(asks.map(({ text }) => (isFirst && text === 'twice' ? ASK_AGAIN : text)));
      },
    });
    const texts = ['once', 'twice', 'later', 'last'];
    expect(await Promise.all(texts.map((text) => ask({ text })))).toEqual(texts);
    expect(runs).toEqual([['once', 'twice', 'last'], ['twice'], ['later']]);
  });
});

describe('batches', () => {
  it('do not wait for one another', async () => {
    const runs: string[] = [];
    const release: (() => void)[] = [];
    const ask = createBatches<string, string, string>(
      (subject) => subject,
      (subject) => ({
        run: (asks) => {
          runs.push(`${subject}: ${asks.join()}`);
          return new Promise((resolve) => release.push(() => resolve(asks)));
        },
      }),
    );
    const first = ask('one', 'a');
    await turn();
    const others = [ask('one', 'b'), ask('other', 'c')];
    await turn();
    expect(runs).toEqual(['one: a', 'other: c']);
    release.forEach((each) => each());
    await first;
    await turn();
    release.at(-1)?.();
    expect(await Promise.all(others)).toEqual(['b', 'c']);
    expect(runs).toEqual(['one: a', 'other: c', 'one: b']);
  });
});
