import type { BenchPostgres } from './servers/postgres.js';
import type { Setting, ServiceOptions } from './servers/service.js';
import type { Load } from './measure/load.js';

/** What every part of the benchmark works with. */
export interface Bench {
  readonly postgres: BenchPostgres;
  readonly load: Load;
  /** A folder for this run's files; removed at the end. */
  readonly folder: string;
  /** The service that most parts share, with a merchant of the part's own. */
  shared(): Promise<Setting>;
  /** A service on an empty database for this part alone. It stops with the part. */
  own(options?: ServiceOptions): Promise<Setting>;
}

export interface Part {
  readonly name: string;
  readonly title: string;
  /** Markdown below the part's table. */
  readonly notes: string;
  run(bench: Bench): Promise<Figure[]>;
}

/** One line of the results. Its target, if it has one, is in targets.ts under the same name. */
export interface Figure {
  readonly name: string;
  /** A ratio is that of the service to the reference; the other units are absolute. */
  readonly unit: 'ratio' | 'ms' | 'MB';
  readonly value: Spread;
  /** Both sides in words, such as requests per second. */
  readonly service: string;
  readonly reference: string;
}

/** A median with the lowest and highest value, so that nobody mistakes noise for a difference. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export type Target = { readonly atLeast: number } | { readonly atMost: number };
