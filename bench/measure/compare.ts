import type { Bench, Figure, Spread } from '../bench.js';
import type { LoadJob } from './load.js';

export interface Side {
  readonly server: { readonly port: number; cpuMs(): number };
  readonly requests: readonly Uint8Array[];
}

export interface Comparison extends Pick<LoadJob, 'connections' | 'expectStatus' | 'most'> {
  readonly name: string;
  readonly service: Side;
  readonly reference: Side;
  readonly rounds?: number;
  readonly durationMs?: number;
}

/** Requests per second, as a share of the reference's, and beside them the CPU time of a request. */
export async function compareRates(bench: Bench, comparison: Comparison): Promise<Figure> {
  const { name, connections, expectStatus, most, rounds = 7, durationMs = 400 } = comparison;
  const used = { service: new CpuTime(), reference: new CpuTime() };
  const measure = async ({ server, requests }: Side, cpu: CpuTime) => {
    const before = { server: server.cpuMs(), postgres: bench.postgres.cpuMs() };
    const limit = most === undefined ? {} : { most };
    const job = { port: server.port, requests, connections, durationMs, expectStatus, ...limit };
    const { responses, seconds } = await bench.load.run(job);
    cpu.add(responses, server.cpuMs() - before.server, bench.postgres.cpuMs() - before.postgres);
    return responses / seconds;
  };
  const { service, reference } = await interleave(rounds, {
    service: () => measure(comparison.service, used.service),
    reference: () => measure(comparison.reference, used.reference),
  });
  const figure = ratioFigure(name, service, reference, (rate) => `${count(rate)}/s`);
  const withCpu = (words: string, cpu: CpuTime) =>
    [words, cpu.describe()].filter((text) => text !== '').join(', ');
  return {
    ...figure,
    service: withCpu(figure.service, used.service),
    reference: withCpu(figure.reference, used.reference),
  };
}

/** CPU time of a request: what it costs also on a machine that others keep busy. */
class CpuTime {
  private responses = 0;
  private serverMs = 0;
  private postgresMs = 0;

  add(responses: number, serverMs: number, postgresMs: number): void {
    this.responses += responses;
    this.serverMs += serverMs;
    this.postgresMs += postgresMs;
  }

  describe(): string {
    const us = (ms: number) => count((ms / this.responses) * 1000);
    if (Number.isNaN(this.serverMs) || this.responses === 0) return '';
    return `CPU ${us(this.serverMs)} + ${us(this.postgresMs)} µs`;
  }
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
