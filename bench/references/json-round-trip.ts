// For a publication: JSON.parse of the posted body plus JSON.stringify of the tree it becomes, and nothing else.
import { readFileSync } from 'node:fs';
import { readSettings, serveJobs } from '../servers/programs.js';

const files = readSettings<{ body: string; tree: string }>();
const posted = readFileSync(files.body, 'utf8');
const tree: unknown = JSON.parse(readFileSync(files.tree, 'utf8'));

serveJobs(({ times }: { times: number }) => {
  const begun = performance.now();
  for (let i = 0; i < times; i += 1) {
    JSON.parse(posted);
    JSON.stringify(tree);
  }
  return (performance.now() - begun) / times;
});
