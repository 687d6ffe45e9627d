// The limit for deliveries: so many loops of fetch that post the same body to the same receiver and do nothing else.
import { performance } from 'node:perf_hooks';

const { url, body, count, loops } = JSON.parse(process.argv[2] ?? '{}') as {
  url: string;
  body: string;
  count: number;
  loops: number;
};
let left = count;
const post = async () => {
  while (left > 0) {
    left -= 1;
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The receiver answered ${answer.status}`);
  }
};
const begun = performance.now();
await Promise.all(Array.from({ length: loops }, post));
process.stdout.write(`${count / ((performance.now() - begun) / 1000)}\n`);
