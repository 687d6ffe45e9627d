import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { Overloaded, ClientDisconnected } from '../../src/support/errors.js';
import { MENU_JOBS } from '../../src/menus/rendering/menus.js';
import type { MenuJobs } from '../../src/menus/rendering/thread-jobs.js';
import { startThreads, type Threads, type ThreadsOptions } from '../../src/support/thread-pool.js';
import { numberedMenu } from '../harness/menu.js';

const workerData = { limits: loadConfig({}).limits, wholeBytes: 1024 * 1024 };
const source = (items: number) => ({
  content: gzipSync(JSON.stringify(numberedMenu(1, items))),
  idsText: '',
  marksText: '[]',
});

let threads: Threads<MenuJobs> | undefined;
afterEach(() => threads?.close());

function start(size: number, more: Partial<ThreadsOptions> = {}): Threads<MenuJobs> {
  threads = startThreads<MenuJobs>({ script: MENU_JOBS, workerData, size, ...more });
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

  it('drop a job that nobody waits for before it has begun', async () => {
    const { run } = start(1);
    const leaving = new AbortController();
    const first = run('flat', source(1), { merchantId: 'a' });
    const left = run('flat', source(1), { merchantId: 'a', signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toBeInstanceOf(ClientDisconnected);
    await expect(run('flat', source(1), { merchantId: 'a', signal: leaving.signal })).rejects.toBeInstanceOf(
      ClientDisconnected,
    );
    await first;
    expect(await run('flat', source(1), { merchantId: 'a' })).toHaveProperty('bytes');
  });

  it('break off a job that takes too long, and go on with the next', async () => {
    const { run } = start(1, { longestMs: 1 });
    const late = run('flat', source(10_000), { merchantId: 'a' });
    await expect(late).rejects.toBeInstanceOf(Overloaded);
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
    const refused = (await Promise.all(many)).filter((answer) => answer instanceof Overloaded);
    expect([refused.length, await other]).toEqual([
      1,
      expect.objectContaining({ bytes: expect.anything() as unknown }),
    ]);
  });
});
