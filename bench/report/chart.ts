import { isMissed, type Figure } from '../figure.js';

const WIDTH = 860;
const LABEL_WIDTH = 400;
const ROW = 26;
const TOP = 46;
const RIGHT = 70;

export interface Chart {
  readonly title: string;
  readonly figures: readonly Figure[];
}

/** Horizontal bars with their spread, and a mark where the target lies; readable on light and dark pages. */
export function barChart({ title, figures }: Chart): string {
  const most =
    Math.max(1, ...figures.flatMap((figure) => [figure.value.median, targetOf(figure) ?? 0])) * 1.05;
  const x = (value: number) => LABEL_WIDTH + (Math.min(value, most) / most) * (WIDTH - LABEL_WIDTH - RIGHT);
  const height = TOP + figures.length * ROW + 12;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#fbfaf7"/>`,
    `<text x="16" y="27" font-size="15" font-weight="600" fill="#222">${escape(title)}</text>`,
    ...figures.map((figure, at) => bar(figure, TOP + at * ROW, x)),
    '</svg>',
    '',
  ].join('\n');
}

function bar(figure: Figure, y: number, x: (value: number) => number): string {
  const { median, low, high } = figure.value;
  const target = targetOf(figure);
  const middle = y + 9;
  const parts = [
    `<text x="${LABEL_WIDTH - 10}" y="${y + 14}" text-anchor="end" fill="#333">${escape(figure.name)}</text>`,
    `<rect x="${LABEL_WIDTH}" y="${y}" width="${round(x(median) - LABEL_WIDTH)}" height="18" rx="3" fill="${isMissed(figure) ? '#c8553d' : '#2f7f6f'}"/>`,
    `<line x1="${round(x(low))}" x2="${round(x(high))}" y1="${middle}" y2="${middle}" stroke="#12382f" stroke-opacity="0.55"/>`,
    `<text x="${round(Math.max(x(median), x(high), x(target ?? 0)) + 6)}" y="${y + 14}" fill="#333">${median.toFixed(2)}</text>`,
  ];
  if (target !== undefined) {
    parts.push(
      `<line x1="${round(x(target))}" x2="${round(x(target))}" y1="${y - 3}" y2="${y + 21}" stroke="#222" stroke-width="2"/>`,
    );
  }
  return parts.join('');
}

function targetOf({ target }: Figure): number | undefined {
  if (target === undefined) return undefined;
  return 'atLeast' in target ? target.atLeast : target.atMost;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
