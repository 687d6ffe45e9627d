import { Readable } from 'node:stream';
import type { Database } from '../db/database.js';
import { exportOrders } from '../db/orders/export-orders.js';
import type { StoreScope } from '../db/orders/find-stores.js';
import type { Principal } from '../domain/key/principal.js';
import type { Limits } from '../domain/limits.js';
import { ImportedOrder, ImportReport } from '../domain/order/shapes.js';
import { HttpRefusal } from '../http/error-table.js';
import { operation, storeOperation, type Operation } from '../http/route.js';
import { SENT } from '../http/sent.js';
import { readPieces } from '../http/stream-pieces.js';
import { createOrderImport } from '../operations/orders/import-orders.js';
import { StoreParams } from './stores.js';

const NDJSON = 'application/x-ndjson';

/** Orders in bulk, one JSON document a line, in and out. */
export function orderTransferOperations(db: Database, limits: Limits, slot: number): Operation[] {
  const orders = createOrderImport({
    db,
    slot,
    maxDepth: limits.jsonDepth,
    maxLineBytes: limits.importLineBytes,
  });
  return [
    operation({
      method: 'POST',
      path: '/manage/v1/orders/import',
      operationId: 'import_orders',
      tag: 'Orders',
      summary: 'Import orders',
      description:
        'One order a line. A line that is refused leaves the others alone; one whose external_id its store has already ' +
        'counts as existing and changes nothing, so a broken import can be sent again.',
      permission: 'orders:write',
      body: { kind: 'stream', contentType: NDJSON, schema: ImportedOrder },
      answers: [{ status: 200, description: 'What became of the lines', schema: ImportReport }],
      handler: async ({ key, body, reply }) => {
        // Set ahead of the answer: a sender that has fallen silent must not keep the connection.
        const onIdle = () => void reply.header('connection', 'close');
        // A compressed body may be here whole and go on unpacking long after its sender has left.
        reply.raw.once('close', () => body.destroy(new HttpRefusal(400, 'The request was cut off')));
        return orders.run(readPieces(body, limits.importIdleSeconds, onIdle), scopeOf(key));
      },
    }),
    storeOperation({
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
      handler: ({ store, reply }) => {
        reply.type(NDJSON).send(Readable.from(exportOrders(db, store.storeKey), { highWaterMark: 1 }));
        return SENT;
      },
    }),
  ];
}

function scopeOf(key: Principal): StoreScope {
  return key.kind === 'operator' ? {} : { merchantId: key.merchantId, storeIds: key.storeIds };
}
