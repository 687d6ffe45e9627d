import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { Busy, NobodyWaits } from '../../src/domain/errors.js';
import { startThreads, type Threads, type ThreadsOptions } from '../../src/menu-rendering/thread-pool.js';
import { numberedMenu } from '../harness/menu.js';

const settings = { limits: loadConfig({}).limits, wholeBytes: 1024 * 1024 };
const source = (items: number) => ({
  content: gzipSync(JSON.stringify(numberedMenu(1, items))),
  idsText: '',
  marksText: '[]',
});

let threads: Threads | undefined;
afterEach(() => threads?.close());

function start(size: number, more: Partial<ThreadsOptions> = {}): Threads {
  threads = startThreads({ size, settings, ...more });
  return threads;
}

describe('threads', () => {
  it('do the jobs of owners in turn', async () => {
    const { run } = start(1);
    const order: string[] = [];
    const job = (merchantId: string) =>
      run('flat', source(50), { merchantId }).then(() => order.push(merchantId));
    await Promise.all([job('a'), job('a'), job('a'), job('a'), job('b'), job('c')]);
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'a']);
  });

  it('leave one thread to the others, however long the jobs of one owner are', async () => {
    const { run } = start(2);
    // Both are there: how long one takes to start is not the question.
    await Promise.all(['a', 'b'].map((merchantId) => run('flat', source(1), { merchantId })));
    let finished = 0;
    const long = Array.from({ length: 3 }, () =>
      run('flat', source(10_000), { merchantId: 'a' }).then(() => (finished += 1)),
    );
    await run('flat', source(1), { merchantId: 'b' });
    expect(finished).toBe(0);
    await Promise.all(long);
  });

  it('have a second one started before it is needed, and no third', async () => {
    let started = 0;
    const onStart = () => void (started += 1);
    subscribe('worker_threads', onStart);
    onTestFinished(() => void unsubscribe('worker_threads', onStart));
    const { run } = start(2, { keepsSpare: true });
    await run('flat', source(1), { merchantId: 'a' });
    expect(started).toBe(2);
    await Promise.all(['a', 'b', 'c'].map((merchantId) => run('flat', source(1), { merchantId })));
    expect(started).toBe(2);
  });

  it('drop a job that nobody waits for before it has begun', async () => {
    const { run } = start(1);
    const leaving = new AbortController();
    const first = run('flat', source(1), { merchantId: 'a' });
    const left = run('flat', source(1), { merchantId: 'a', gone: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toBeInstanceOf(NobodyWaits);
    await expect(run('flat', source(1), { merchantId: 'a', gone: leaving.signal })).rejects.toBeInstanceOf(
      NobodyWaits,
    );
    await first;
    expect(await run('flat', source(1), { merchantId: 'a' })).toHaveProperty('bytes');
  });

  it('break off a job that takes too long, and go on with the next', async () => {
    const { run } = start(1, { longestMs: 1 });
    const late = run('flat', source(10_000), { merchantId: 'a' });
    await expect(late).rejects.toBeInstanceOf(Busy);
    await threads?.close();
    const patient = start(1);
    expect(await patient.run('flat', source(1), { merchantId: 'a' })).toHaveProperty('bytes');
  });

  it('refuse more than a queue full of one owner', async () => {
    const { run } = start(1);
    const many = Array.from({ length: 502 }, () =>
      run('flat', source(1), { merchantId: 'a' }).catch((e: unknown) => e),
    );
    const other = run('flat', source(1), { merchantId: 'b' });
    const refused = (await Promise.all(many)).filter((answer) => answer instanceof Busy);
    expect([refused.length, await other]).toEqual([
      1,
      expect.objectContaining({ bytes: expect.anything() as unknown }),
    ]);
  });
});
