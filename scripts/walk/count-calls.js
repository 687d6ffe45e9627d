import { Session } from 'node:inspector/promises';

const BUILT = new URL('../../dist/', import.meta.url).href;

/** Counts calls in this thread and in those that the service starts; the answer tells what was called since it last told. */
export async function countCalls() {
  const session = new Session();
  session.connect();
  const threads = [(method, params) => session.post(method, params)];
  const start = async (post) => {
    await post('Profiler.enable');
    await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  };
  const waiting = new Map();
  session.on('NodeWorker.receivedMessageFromWorker', ({ params: { message } }) => {
    const { id, result } = JSON.parse(message);
    waiting.get(id)?.(result);
  });
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    const post = (method, params) =>
      new Promise((resolve) => {
        const id = waiting.size + 1;
        waiting.set(id, resolve);
        const message = JSON.stringify({ id, method, params });
        void session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
      });
    threads.push(post);
    void start(post);
  });
  await start(threads[0]);
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return async () => {
    const taken = await Promise.all(threads.map((post) => post('Profiler.takePreciseCoverage')));
    const scripts = taken.flatMap(({ result }) => result).filter(({ url }) => url.startsWith(BUILT));
    return scripts.flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges: [{ count, startOffset }] }) => count > 0 && startOffset > 0)
        .map(({ functionName }) => `${url.slice(BUILT.length, -3)}.ts ${functionName || '=>'}`),
    );
  };
}
