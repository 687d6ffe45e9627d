// For deliveries: loops of fetch post the same body to the same receiver and do nothing else.
import { readSettings, serveJobs } from '../servers/programs.js';

const { url, body } = readSettings<{ url: string; body: string }>();

serveJobs(async ({ count, loops }: { count: number; loops: number }) => {
  let left = count;
  const post = async () => {
    while (left > 0) {
      left -= 1;
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, { method: 'POST', body, headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`The receiver returned ${response.status}`);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: loops }, post));
  return count / ((performance.now() - begun) / 1000);
});
