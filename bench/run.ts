import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Part } from './bench.js';
import { startLoad } from './measure/load.js';
import { parts } from './parts.js';
import { figureLine, missedIn, writeReport } from './report.js';
import { startPostgres } from './servers/postgres.js';
import { createSetting, createTenant, type ServiceOptions, type Setting } from './servers/service.js';

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const names = parts.map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`No part ${unknown.join(', ')}. Parts: ${names.join(', ')}.\n`);
  process.exit(2);
}

const begun = performance.now();
const missed = await runParts(
  parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
);
say('Done. The results are in bench/RESULTS.md.');
if (missed.length > 0) process.stderr.write(`Targets missed: ${missed.join('; ')}\n`);
process.exitCode = values.check && missed.length > 0 ? 1 : 0;

/** Runs the parts one after the other and merges the figures of each into the published results. */
async function runParts(chosen: readonly Part[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'comanda-bench-'));
  const postgres = await startPostgres(folder);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void postgres.stop().finally(() => process.exit(130)));
  const load = startLoad();
  const started: Setting[] = [];
  const own = async (options?: ServiceOptions) => {
    const setting = await createSetting(postgres, folder, options);
    started.push(setting);
    return setting;
  };
  let common: Setting | undefined;
  const shared = async () => {
    common ??= await createSetting(postgres, folder);
    return { ...common, tenant: await createTenant(common.service) };
  };
  const stopOwn = async () => {
    for (const { service } of started.splice(0)) await service.stop();
  };
  const [loadBefore = 0] = loadavg();
  const misses: string[] = [];
  try {
    for (const [i, part] of chosen.entries()) {
      const partBegun = performance.now();
      say(`[${i + 1}/${chosen.length}] ${part.title}`);
      const figures = await part.run({ postgres, load, folder, shared, own });
      await stopOwn();
      for (const figure of figures) say(figureLine(part.name, figure));
      const seconds = (performance.now() - partBegun) / 1000;
      await writeReport(parts, part.name, { seconds, loadBefore, figures });
      misses.push(...missedIn(part.name, figures));
    }
  } finally {
    await stopOwn();
    await common?.service.stop();
    await load.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return misses;
}

function say(text: string): void {
  const elapsed = `${Math.round((performance.now() - begun) / 1000)} s`.padStart(5);
  process.stderr.write(`${elapsed}  ${text}\n`);
}
