import type { Part } from './bench.js';
import { fleet } from './parts/fleet.js';
import { importing } from './parts/import.js';
import { intake } from './parts/intake.js';
import { memory } from './parts/memory.js';
import { neighbours } from './parts/neighbours.js';
import { orders } from './parts/orders.js';
import { pace } from './parts/pace.js';
import { peer } from './parts/peer.js';
import { photos } from './parts/photos.js';
import { printers } from './parts/printers.js';
import { publish } from './parts/publish.js';
import { quotes } from './parts/quotes.js';
import { sales } from './parts/sales.js';
import { retention } from './parts/retention.js';
import { stall } from './parts/stall.js';
import { startUp } from './parts/start-up.js';
import { streams } from './parts/streams.js';
import { tree } from './parts/tree.js';
import { webhooks } from './parts/webhooks.js';

/** Every part of the benchmark, in the order they run. */
export const parts: readonly Part[] = [
  peer,
  tree,
  photos,
  publish,
  stall,
  quotes,
  intake,
  pace,
  importing,
  sales,
  retention,
  streams,
  webhooks,
  printers,
  fleet,
  memory,
  startUp,
  neighbours,
  orders,
];
