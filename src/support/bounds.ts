import type { SemaphoreSizes } from './fair-semaphore.js';

/**
 * Every bound on what happens at once in one process. What exceeds one waits its turn, merchants in turn; `perOwner` and
 * `perStore` keep one merchant or store from taking all of it. docs/configuration.md repeats this table, and a test compares
 * the two. Limits that an operator can set are in limits.ts.
 */
export const BOUNDS = {
  /** Requests in progress, from their key check until the response is sent; publications of menus are counted apart. */
  requests: { size: 512, perOwner: 64, mostWaiting: 2_000 },
  /** Pipelined requests that wait on one connection; one more closes it. */
  queuedPerConnection: 16,
  /** Menus of more than 64 KiB in memory. */
  menuBodies: { size: 8, perOwner: 4 },
  /** Other bodies of more than 64 KiB. */
  jsonBodies: { size: 64, perOwner: 8 },
  /** Menu versions, comparisons and the like, which take tens of megabytes each. */
  largeResponses: { size: 16, perOwner: 2, mostWaiting: 500 },
  /** Messages of assistants in progress. A tool may read a whole menu. */
  toolCalls: { size: 32, perOwner: 4, mostWaiting: 200 },
  /** Responses made while they are sent: exports, and pages with large orders. */
  streamedResponses: { size: 16, perOwner: 2, mostWaiting: 500 },
  /** Pages of an event stream that carry orders, about a megabyte each. */
  streamPages: { size: 64, perOwner: 16 },
  publications: { size: 3, perOwner: 2, perStore: 1, mostWaiting: 200 },
  /** Stores that publications to many stores work on, so that one publishing thread is left to single menus. */
  rollouts: { size: 1 },
  imports: { size: 8, perOwner: 2 },
  /** Webhook requests in progress; a slow receiver holds up nobody else's. */
  deliveries: { size: 100, perOwner: 20, perEndpoint: 8 },
  backups: { size: 2 },
} satisfies Record<string, (SemaphoreSizes & { readonly perEndpoint?: number }) | number>;

/** Worker threads. Reads never wait behind a publication, nor either of them behind a comparison. */
export const THREADS = { reading: 2, publishing: 2, other: 1 } as const;

/** Database connections of a process beside COMANDA_DATABASE_POOL: no other work can delay what they are for. */
export const CONNECTIONS = { keys: 1, webhooks: 2, imports: 2, backups: 2, searches: 2 } as const;

/** The part of COMANDA_DATABASE_POOL that one merchant, or one store, may use at once. */
export const POOL_SHARE = { merchant: 0.6, store: 0.4 } as const;

/**
 * The newest webhook attempts that are kept one by one, for each endpoint. Older ones are only counted. A merchant has at most 50
 * endpoints, so what its receivers answer takes a bounded part of the disk.
 */
export const KEPT_ATTEMPTS = 1_000;

/** Requests that one statement serves together. */
export const BATCH_SIZES = { keys: 256, intake: 200, changes: 200, singleOrders: 32 } as const;
