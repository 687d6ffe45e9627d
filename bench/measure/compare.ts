import type { Bench, Figure, Spread } from '../bench.js';
import type { LoadJob } from './load.js';

export interface Side {
  readonly server: { readonly port: number };
  readonly requests: readonly Uint8Array[];
}

export interface Comparison extends Pick<LoadJob, 'connections' | 'expectStatus'> {
  readonly name: string;
  readonly service: Side;
  readonly reference: Side;
  readonly rounds?: number;
  readonly durationMs?: number;
}

/** Requests per second, as a share of the reference's. */
export async function compareRates(bench: Bench, comparison: Comparison): Promise<Figure> {
  const { name, connections, expectStatus, rounds = 7, durationMs = 400 } = comparison;
  const measure = async ({ server, requests }: Side) => {
    const job = { port: server.port, requests, connections, durationMs, expectStatus };
    const { responses, seconds } = await bench.load.run(job);
    return responses / seconds;
  };
  const { service, reference } = await interleave(rounds, {
    service: () => measure(comparison.service),
    reference: () => measure(comparison.reference),
  });
  return ratioFigure(name, service, reference, (rate) => `${count(rate)}/s`);
}

/** Runs the sides in turn, in reverse order every other round; a first round warms up and is thrown away. */
export async function interleave<Name extends string>(
  rounds: number,
  sides: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = -1; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const sample = await sides[name]();
      if (round >= 0) samples[name].push(sample);
    }
  }
  return samples;
}

/** The ratio of each pair of rounds, measured next to each other, rather than the ratio of two medians. */
export function ratioFigure(
  name: string,
  service: readonly number[],
  reference: readonly number[],
  describe: (median: number) => string,
): Figure {
  const ratios = service.map((value, i) => value / (reference[i] ?? NaN));
  const words = [service, reference].map((side) => describe(spreadOf(side).median));
  return { name, unit: 'ratio', value: spreadOf(ratios), service: words[0] ?? '', reference: words[1] ?? '' };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
  return { median, low: sorted[0] ?? NaN, high: sorted.at(-1) ?? NaN };
}

export function count(number: number): string {
  return Math.round(number).toLocaleString('en');
}
