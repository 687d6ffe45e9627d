import type { Figure } from './figure.js';
import type { Load } from './measure/load.js';
import type { BenchPostgres } from './servers/database.js';

/** What every part of the benchmark works with. */
export interface Bench {
  readonly postgres: BenchPostgres;
  readonly load: Load;
  /** A folder for this run's files; removed at its end. */
  readonly folder: string;
  /** Says what is being done; shown while it lasts. */
  step(text: string): void;
}

export interface Part {
  readonly name: string;
  readonly title: string;
  /** Names the part in front of a figure in the charts. */
  readonly short: string;
  /** Words below the part's table in the results. */
  readonly notes: readonly string[];
  run(bench: Bench): Promise<Figure[]>;
}
