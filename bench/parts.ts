import type { Part } from './bench.js';
import { eventIntake } from './parts/event-intake.js';
import { eventStreams } from './parts/event-streams.js';
import { importing } from './parts/import.js';
import { manyStores } from './parts/many-stores.js';
import { memory } from './parts/memory.js';
import { neighbours } from './parts/neighbours.js';
import { orders } from './parts/orders.js';
import { publish } from './parts/publish.js';
import { quotes } from './parts/quotes.js';
import { replicas } from './parts/replicas.js';
import { size } from './parts/size.js';
import { stall } from './parts/stall.js';
import { startUp } from './parts/start-up.js';
import { tree } from './parts/tree.js';
import { workers } from './parts/workers.js';
import { webhookDeliveries } from './parts/webhook-deliveries.js';
import { writers } from './parts/writers.js';

/** Every part of the benchmark, in the order they run. */
export const parts: readonly Part[] = [
  tree,
  workers,
  publish,
  stall,
  replicas,
  manyStores,
  memory,
  writers,
  eventIntake,
  eventStreams,
  webhookDeliveries,
  importing,
  orders,
  quotes,
  neighbours,
  startUp,
  size,
];
