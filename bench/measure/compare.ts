import type { Bench } from '../bench.js';
import type { Figure, Target } from '../figure.js';
import { interleave } from './interleave.js';
import type { LoadResult } from './load-job.js';
import { cpuMs, treeCpuMs } from './process-usage.js';
import { ratios, spreadOf } from './statistics.js';

export interface Side {
  readonly port: number;
  readonly pids: readonly number[];
  readonly requests: readonly Uint8Array[];
}

export interface Comparison {
  readonly name: string;
  readonly service: Side;
  readonly reference: Side;
  readonly connections: number;
  readonly expectStatus?: number;
  readonly target?: Target | undefined;
  readonly rounds?: number;
  readonly durationMs?: number;
  readonly most?: number;
}

interface Sample {
  readonly result: LoadResult;
  readonly rate: number;
  /** Microseconds per request; without /proc not known. */
  readonly cpu: number;
  readonly databaseCpu: number;
}

const ROUNDS = 5;
const DURATION_MS = 600;

/** Requests a second, as a share of the reference's. */
export async function compareRates(bench: Bench, comparison: Comparison): Promise<Figure> {
  const { service, reference } = await measureSides(bench, comparison);
  return {
    name: comparison.name,
    unit: 'ratio',
    target: comparison.target,
    value: ratios(
      service.map(({ rate }) => rate),
      reference.map(({ rate }) => rate),
    ),
    service: describeRates(service),
    reference: describeRates(reference),
  };
}

/** The median time of a request, in multiples of the reference's. */
export async function compareTimes(bench: Bench, comparison: Comparison): Promise<Figure> {
  const { service, reference } = await measureSides(bench, comparison);
  const times = (samples: readonly Sample[]) => samples.map(({ result }) => result.latency.median);
  return {
    name: comparison.name,
    unit: 'ratio',
    target: comparison.target,
    value: ratios(times(service), times(reference)),
    service: `${spreadOf(times(service)).median.toFixed(2)} ms`,
    reference: `${spreadOf(times(reference)).median.toFixed(2)} ms`,
  };
}

/** The database's processor time for a request, in multiples of the reference's. */
export async function compareDatabaseTimes(bench: Bench, comparison: Comparison): Promise<Figure> {
  const { service, reference } = await measureSides(bench, comparison);
  const times = (samples: readonly Sample[]) => samples.map(({ databaseCpu }) => databaseCpu);
  return {
    name: comparison.name,
    unit: 'ratio',
    target: comparison.target,
    value: ratios(times(service), times(reference)),
    service: describeRates(service),
    reference: describeRates(reference),
  };
}

function measureSides(bench: Bench, comparison: Comparison) {
  bench.step(comparison.name);
  return interleave(comparison.rounds ?? ROUNDS, {
    service: () => measure(bench, comparison, comparison.service),
    reference: () => measure(bench, comparison, comparison.reference),
  });
}

async function measure(bench: Bench, comparison: Comparison, side: Side): Promise<Sample> {
  const usage = () => Promise.all([cpuMs(side.pids), treeCpuMs(bench.postgres.pid)]);
  const [cpuBefore, databaseBefore] = await usage();
  const result = await bench.load.run({
    port: side.port,
    requests: side.requests,
    connections: comparison.connections,
    durationMs: comparison.durationMs ?? DURATION_MS,
    most: comparison.most,
    expectStatus: comparison.expectStatus ?? 200,
  });
  const [cpuAfter, databaseAfter] = await usage();
  const perRequest = (before = NaN, after = NaN) => ((after - before) * 1000) / result.answers;
  return {
    result,
    rate: result.answers / result.seconds,
    cpu: perRequest(cpuBefore, cpuAfter),
    databaseCpu: perRequest(databaseBefore, databaseAfter),
  };
}

function describeRates(samples: readonly Sample[]): string {
  const median = (of: (sample: Sample) => number) => spreadOf(samples.map(of)).median;
  const rate = median((sample) => sample.rate);
  const words = [`${rate < 100 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en')}/s`];
  const cpu = median((sample) => sample.cpu);
  const databaseCpu = median((sample) => sample.databaseCpu);
  if (!Number.isNaN(cpu)) words.push(`${Math.round(cpu)} µs`);
  if (databaseCpu >= 0.5) words.push(`+ ${Math.round(databaseCpu)} µs database`);
  return words.join(', ');
}
