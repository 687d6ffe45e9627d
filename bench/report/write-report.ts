import { readFile, writeFile } from 'node:fs/promises';
import type { Part } from '../bench.js';
import type { Figure } from '../figure.js';
import { barChart, type Chart } from './chart.js';
import { describeMachine } from './machine.js';
import { resultsPage, type PartResult } from './markdown.js';

const BENCH = new URL('../../../bench/', import.meta.url);
const KEPT = new URL('results.json', BENCH);

interface Kept {
  readonly machine: string;
  readonly parts: Readonly<Record<string, Omit<PartResult, 'part'>>>;
}

/** Writes RESULTS.md and the charts. A run of some parts replaces theirs, unless the rest is from another machine. */
export async function writeReport(measured: readonly PartResult[], parts: readonly Part[]): Promise<void> {
  const machine = describeMachine();
  const before = await readKept();
  const kept: Kept = {
    machine,
    parts: {
      ...(before?.machine === machine ? before.parts : {}),
      ...Object.fromEntries(measured.map(({ part, ...result }) => [part.name, result])),
    },
  };
  const results = parts.flatMap((part) => {
    const result = kept.parts[part.name];
    return result === undefined ? [] : [{ part, ...result }];
  });
  await writeFile(KEPT, `${JSON.stringify(kept, null, 1)}\n`);
  await writeFile(new URL('RESULTS.md', BENCH), resultsPage(results, machine));
  for (const [name, chart] of Object.entries(charts(results))) {
    await writeFile(new URL(name, BENCH), barChart(chart));
  }
}

async function readKept(): Promise<Kept | undefined> {
  const text = await readFile(KEPT, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Kept);
}

/** One chart for rates, where longer is better, and one for times, where shorter is. */
function charts(results: readonly PartResult[]): Record<string, Chart> {
  const figures = results
    .flatMap(({ part, figures: all }) =>
      all.map((figure): Figure => ({ ...figure, name: `${part.short}: ${figure.name}` })),
    )
    .filter(({ unit, target }) => unit === 'ratio' && target !== undefined);
  return {
    'rates.svg': {
      title: 'Rate as a share of the bare limit (the mark is the target)',
      figures: figures.filter(({ target }) => target !== undefined && 'atLeast' in target),
    },
    'times.svg': {
      title: 'Time in multiples of the reference, shorter is better (the mark is the target)',
      figures: figures.filter(({ target }) => target !== undefined && 'atMost' in target),
    },
  };
}
