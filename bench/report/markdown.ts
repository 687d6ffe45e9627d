import type { Part } from '../bench.js';
import { isMissed, type Figure } from '../figure.js';

export interface PartResult {
  readonly part: Part;
  readonly figures: readonly Figure[];
  readonly seconds: number;
  /** The machine's load average before the run began: what other programs were doing. */
  readonly loadBefore: number;
}

const UNITS = { ratio: '', ms: ' ms', MB: ' MB', count: '' };

/** The results as the page that RESULTS.md is: the machine, how to read it, one table per part. */
export function resultsPage(results: readonly PartResult[], machine: string): string {
  const missed = results.flatMap(({ figures }) => figures).filter(isMissed);
  const withTarget = results.flatMap(({ figures }) => figures).filter(({ target }) => target !== undefined);
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  return [
    '# Results',
    '',
    `Made by \`npm run bench\` in ${Math.round(seconds)} s on ${machine}.`,
    '',
    'Every ratio is that of the service to a reference measured in the same run, round by round in turn with it: the median',
    'round, with the lowest and highest in brackets. Beside it, requests a second (or the time of one request) and the',
    "server's processor time per request on both sides; the load generator, the database and the server share the machine.",
    'What was tried and where the floor is: [docs/performance.md](../docs/performance.md).',
    '',
    `Targets: ${withTarget.length - missed.length} of ${withTarget.length} reached${missed.length === 0 ? '.' : `; not reached: ${missed.map(({ name }) => name).join('; ')}.`}`,
    ...results.flatMap(partLines),
    '',
  ].join('\n');
}

const BUSY_LOAD = 1;

function partLines({ part, figures, loadBefore }: PartResult): string[] {
  return [
    '',
    `## ${part.title}`,
    '',
    '| figure | value (spread) | target | Comanda | reference |',
    '| --- | --- | --- | --- | --- |',
    ...figures.map(
      (figure) =>
        `| ${figure.name} | ${describeValue(figure)} | ${describeTarget(figure)} | ${figure.service} | ${figure.reference} |`,
    ),
    ...(part.notes.length === 0 ? [] : ['', ...part.notes]),
    ...(loadBefore < BUSY_LOAD
      ? []
      : [
          '',
          `Other programs kept the machine busy meanwhile (load ${loadBefore.toFixed(1)}): see the spread.`,
        ]),
  ];
}

export function describeValue({ value, unit }: Figure): string {
  const show = (number: number) => (unit === 'ratio' ? number.toFixed(2) : String(Math.round(number)));
  const spread = value.low === value.high ? '' : ` (${show(value.low)} to ${show(value.high)})`;
  return `**${show(value.median)}**${UNITS[unit]}${spread}`;
}

export function describeTarget(figure: Figure): string {
  const { target, unit } = figure;
  if (target === undefined) return '';
  const text = 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
  return `${text}${UNITS[unit]} ${isMissed(figure) ? '✗' : '✓'}`;
}
