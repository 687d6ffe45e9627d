import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Part } from './bench.js';
import { isMissed } from './figure.js';
import { startLoad } from './measure/load.js';
import { parts } from './parts.js';
import { describeTarget, describeValue, type PartResult } from './report/markdown.js';
import { showProgress } from './report/progress.js';
import { writeReport } from './report/write-report.js';
import { startPostgres } from './servers/database.js';

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `No part ${unknown.join(', ')}. There are: ${parts.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(2);
}

const chosen = positionals.length === 0 ? parts : parts.filter(({ name }) => positionals.includes(name));
const results = await run(chosen);
const missed = results.flatMap(({ figures }) => figures).filter(isMissed);
if (missed.length > 0) process.stderr.write(`Targets missed: ${missed.map(({ name }) => name).join('; ')}\n`);
process.exitCode = values.check && missed.length > 0 ? 1 : 0;

/** Runs the parts one after the other and puts their figures into the published results. */
async function run(chosenParts: readonly Part[]): Promise<PartResult[]> {
  const [loadBefore = 0] = loadavg();
  const progress = showProgress(chosenParts.length);
  const folder = await mkdtemp(join(tmpdir(), 'comanda-bench-'));
  const postgres = await startPostgres(folder);
  const load = startLoad();
  const breakOff = () => void postgres.stop().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, breakOff);
  const done: PartResult[] = [];
  try {
    for (const part of chosenParts) {
      const begun = performance.now();
      progress.part(part.title);
      const figures = await part.run({ postgres, load, folder, step: (text) => progress.step(text) });
      for (const figure of figures) {
        progress.line(
          `    ${figure.name}: ${describeValue(figure)} ${describeTarget(figure)}  [${figure.service} | ${figure.reference}]`,
        );
      }
      done.push({ part, figures, seconds: (performance.now() - begun) / 1000, loadBefore });
      await writeReport(done, parts);
    }
  } finally {
    progress.done();
    load.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write('Written: bench/RESULTS.md and two charts beside it\n');
  return done;
}
