import type { Part } from './bench.js';
import { importing } from './parts/import.js';
import { orders } from './parts/orders.js';
import { publish } from './parts/publish.js';
import { stall } from './parts/stall.js';
import { tree } from './parts/tree.js';
import { writers } from './parts/writers.js';

/** Every part of the benchmark, in the order they run. */
export const parts: readonly Part[] = [tree, publish, stall, writers, importing, orders];
