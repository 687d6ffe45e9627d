import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { barChart, type Chart } from './chart.js';
import { resultsPage, type PartResult } from './markdown.js';

const BENCH = new URL('../../../bench/', import.meta.url);

/** Writes RESULTS.md and the charts, or, when only some parts ran, prints their tables. */
export async function writeReport(
  results: readonly PartResult[],
  seconds: number,
  isWhole: boolean,
): Promise<void> {
  const page = resultsPage(results, seconds);
  if (!isWhole) {
    process.stdout.write(page);
    return;
  }
  await writeFile(new URL('RESULTS.md', BENCH), page);
  for (const [name, chart] of Object.entries(charts(results))) {
    await writeFile(new URL(name, BENCH), barChart(chart));
  }
  process.stdout.write(`Written: ${fileURLToPath(new URL('RESULTS.md', BENCH))} and two charts beside it\n`);
}

/** One chart for rates, where longer is better, and one for times, where shorter is. */
function charts(results: readonly PartResult[]): Record<string, Chart> {
  const figures = results
    .flatMap(({ part, figures: all }) =>
      all.map((figure) => ({ ...figure, name: `${part.short}: ${figure.name}` })),
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
