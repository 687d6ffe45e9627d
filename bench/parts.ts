import type { Part } from './bench.js';
import { tree } from './parts/tree.js';

/** Every part of the benchmark, in the order they run. */
export const parts: readonly Part[] = [tree];
