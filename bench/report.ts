import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { format, resolveConfig } from 'prettier';
import type { Figure, Part } from './bench.js';
import { isReached, TARGETS } from './targets.js';

export interface PartResult {
  readonly seconds: number;
  /** The machine's load average before the run: what other programs were doing. */
  readonly loadBefore: number;
  readonly figures: readonly Figure[];
}

interface Results {
  readonly machine: string;
  readonly parts: Readonly<Record<string, PartResult>>;
}

const BENCH = new URL('../../bench/', import.meta.url);
const RESULTS = new URL('results.json', BENCH);
const UNITS = { ratio: '', ms: ' ms', MB: ' MB' };

/** Merges a part's result into results.json, unless that is from another machine, and writes RESULTS.md from it. */
export async function writeReport(parts: readonly Part[], name: string, result: PartResult): Promise<void> {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpus().length} cores (${cpu?.model.trim()}), ${memory} GB, ${process.platform}, Node ${process.versions.node}`;
  const text = await readFile(RESULTS, 'utf8').catch(() => '{}');
  const before = JSON.parse(text) as Partial<Results>;
  const all: Results['parts'] = { ...(before.machine === machine ? before.parts : {}), [name]: result };
  const known = parts.filter((part) => part.name in all).map((part) => [part.name, all[part.name]]);
  const results: Results = { machine, parts: Object.fromEntries(known) as Results['parts'] };
  await writeFile(RESULTS, `${JSON.stringify(results, null, 1)}\n`);
  await writeFile(new URL('RESULTS.md', BENCH), resultsPage(parts, results));
  await writeComparison(results.parts['peer']);
}

const COMPARISON = /(<!-- comparison -->\n)[^]*(\n<!-- end of comparison -->)/;

/** The table of README.md: requests a second and CPU time of the service and of the Fastify application. */
async function writeComparison(peer: PartResult | undefined): Promise<void> {
  if (peer === undefined || peer.figures.length === 0) return;
  const readme = new URL('../README.md', BENCH);
  const rows = peer.figures.map(
    ({ name, value, service, reference }) =>
      `| ${name} | ${service} | ${reference} | **${value.median.toFixed(1)}** |`,
  );
  const head = ['| work | Comanda | Fastify | ratio |', '| --- | --- | --- | --- |'];
  const table = `\n${[...head, ...rows].join('\n')}\n`;
  const text = (await readFile(readme, 'utf8')).replace(COMPARISON, `$1${table}$2`);
  const options = await resolveConfig(readme);
  await writeFile(readme, await format(text, { ...options, parser: 'markdown' }));
}

/** The targets of a part that its figures miss. A target without a figure is a mistake in the part. */
export function missedIn(part: string, figures: readonly Figure[]): string[] {
  const { missed, unmeasured } = judge(part, figures);
  if (unmeasured.length > 0) throw new Error(`Targets without a figure: ${unmeasured.join('; ')}`);
  return missed;
}

function judge(part: string, figures: readonly Figure[]) {
  const targets = Object.entries(TARGETS[part] ?? {});
  const find = (name: string) => figures.find((figure) => figure.name === name);
  const label = ([name]: readonly [string, unknown]) => `${part}: ${name}`;
  const unmeasured = targets.filter(([name]) => find(name) === undefined).map(label);
  const missed = targets.filter(([name, target]) => {
    const figure = find(name);
    return figure !== undefined && !isReached(target, figure.value);
  });
  return { count: targets.length, unmeasured, missed: missed.map(label) };
}

function resultsPage(parts: readonly Part[], { machine, parts: results }: Results): string {
  const seconds = Object.values(results).reduce((sum, result) => sum + result.seconds, 0);
  const judged = Object.keys(TARGETS).map((part) => judge(part, results[part]?.figures ?? []));
  const total = judged.reduce((sum, { count }) => sum + count, 0);
  const missed = judged.flatMap((one) => one.missed);
  const unmeasured = judged.flatMap((one) => one.unmeasured);
  const list = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : ['', `${title}:`, '', ...names.map((name) => `- ${name}`)];
  return [
    '# Results',
    '',
    `Made by \`npm run bench\` in ${Math.round(seconds)} s on ${machine}.`,
    '',
    'Every ratio compares the service with a reference measured in the same run, in alternating rounds. The value is the',
    'median round, with the lowest and highest in brackets. The load generator, the database and the server share the machine.',
    '[Performance](../docs/performance.md) says what the figures mean.',
    '',
    `Targets reached: ${total - missed.length - unmeasured.length} of ${total}.`,
    ...list('Missed', missed),
    ...list('Not measured yet', unmeasured),
    ...parts.flatMap((part) => partLines(part, results[part.name])),
    '',
  ].join('\n');
}

function partLines({ name, title, notes }: Part, result: PartResult | undefined): string[] {
  if (result === undefined) return [];
  const { figures, loadBefore } = result;
  const busy = `Other programs kept the machine busy (load ${loadBefore.toFixed(1)}): see the spread.`;
  const lines = figures.map((figure) => figureLine(name, figure));
  const head = '| figure | value (spread) | target | Comanda | reference |';
  return [
    '',
    `## ${title}`,
    '',
    head,
    '| --- | --- | --- | --- | --- |',
    ...lines,
    '',
    notes,
    ...(loadBefore < 1 ? [] : ['', busy]),
  ];
}

export function figureLine(part: string, figure: Figure): string {
  const cells = [describeValue(figure), describeTarget(part, figure), figure.service, figure.reference];
  return `| ${figure.name} | ${cells.join(' | ')} |`;
}

function describeValue({ value, unit }: Figure): string {
  const show = (number: number) => number.toFixed(unit === 'ratio' ? 2 : 0);
  const spread = value.low === value.high ? '' : ` (${show(value.low)} to ${show(value.high)})`;
  return `**${show(value.median)}**${UNITS[unit]}${spread}`;
}

function describeTarget(part: string, { name, value, unit }: Figure): string {
  const target = TARGETS[part]?.[name];
  if (target === undefined) return '';
  const text = 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
  return `${text}${UNITS[unit]} ${isReached(target, value) ? '✓' : '✗'}`;
}
