// The limit for a publication: JSON.parse of the posted body plus JSON.stringify of the tree it becomes, and nothing else.
import { readFileSync } from 'node:fs';

const { body, tree } = JSON.parse(process.argv[2] ?? '{}') as { body: string; tree: string };
const posted = readFileSync(body, 'utf8');
const answered: unknown = JSON.parse(readFileSync(tree, 'utf8'));

process.on('message', (times: number) => {
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  for (let at = 0; at < times; at += 1) {
    JSON.parse(posted);
    JSON.stringify(answered);
  }
  const ms = (performance.now() - begun) / times;
  const { user, system } = process.cpuUsage(cpuBefore);
  process.send?.({ ms, cpuMs: (user + system) / 1000 / times });
});
process.on('disconnect', () => process.exit(0));
