import type { Part } from './bench.js';
import { publish } from './parts/publish.js';
import { stall } from './parts/stall.js';
import { tree } from './parts/tree.js';

/** Every part of the benchmark, in the order they run. */
export const parts: readonly Part[] = [tree, publish, stall];
