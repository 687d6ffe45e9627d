import type { Database } from '../db/database.js';
import { exportOrders } from '../db/orders/export-orders.js';
import { exampleIds } from '../domain/example-ids.js';
import { scopeOf } from '../domain/key/principal.js';
import type { Limits } from '../domain/limits.js';
import { ImportedOrder, ImportReport, orderExample } from '../domain/order/shapes.js';
import { json, NDJSON } from '../http/answer.js';
import { route, storeRoute, type Route } from '../http/route.js';
import type { StreamWithSlot } from '../http/request-limits.js';
import { createOrderImport } from '../operations/orders/import-orders.js';
import { StoreParams } from './stores.js';

const IMPORT_EXAMPLE = `${JSON.stringify({ store_id: exampleIds.trialStore, ...orderExample })}\n`;

export interface TransferContext {
  readonly db: Database;
  readonly limits: Limits;
  /** This process's place in the counts. */
  readonly countSlot: number;
  readonly streamWithSlot: StreamWithSlot;
}

/** Orders in bulk, one JSON document a line, in and out. */
export function orderTransferRoutes(context: TransferContext): Route[] {
  const { limits, countSlot, streamWithSlot } = context;
  const orders = createOrderImport({
    db: context.db,
    countSlot,
    maxDepth: limits.jsonDepth,
    maxLineBytes: limits.importLineBytes,
  });
  return [
    route({
      method: 'POST',
      path: '/manage/v1/orders/import',
      operationId: 'import_orders',
      tag: 'Orders',
      summary: 'Import orders',
      description:
        'One order a line. A line that is refused leaves the others alone; one whose external_id its store has already ' +
        'counts as existing and changes nothing, so a broken import can be sent again. A merchant has two under way at a ' +
        'time; more wait, and are 503 after a minute.',
      permission: 'orders:write',
      body: { kind: 'stream', contentType: NDJSON, schema: ImportedOrder, example: IMPORT_EXAMPLE },
      answers: [{ status: 200, description: 'What became of the lines', schema: ImportReport }],
      handler: async ({ db, principal, body, gone }) =>
        json(await orders.run(body, { db, scope: scopeOf(principal), keyId: principal.id, gone: gone() })),
    }),
    storeRoute({
      method: 'GET',
      path: '/manage/v1/stores/{store_id}/orders/export',
      operationId: 'export_orders',
      tag: 'Orders',
      summary: 'Export the orders of a store',
      description: 'Oldest first, in the form that the import takes.',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_id',
      answers: [{ status: 200, description: 'One order a line', schema: ImportedOrder, contentType: NDJSON }],
      handler: ({ db, store }) => ({
        status: 200,
        headers: ['content-type', NDJSON, 'cache-control', 'no-store'],
        body: streamWithSlot(store, exportOrders(db, store.storeKey)),
      }),
    }),
  ];
}
