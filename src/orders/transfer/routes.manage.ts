import { Type } from '../../support/shape/type.js';
import { writeEntry } from '../../audit/audit.sql.js';
import { scopeOf } from '../../access/principal.js';
import { json, jsonLines, NDJSON } from '../../http/response.js';
import { route, storeRoute, type Route } from '../../http/route.js';
import { exampleIds } from '../../support/example-ids.js';
import { Datetime } from '../../support/shape/common-shapes.js';
import { StoreParams } from '../../tenants/routes.manage.js';
import type { Orders } from '../orders.js';
import { exportOrders } from '../read.sql.js';
import { ImportReport } from './import-report.js';
import { ImportedOrder, orderExample } from '../request-shapes.js';

const IMPORT_EXAMPLE = { store_id: exampleIds.trialStore, ...orderExample };

const ExportQuery = Type.Object({
  completed_before: Type.Optional(
    Datetime({
      description: 'Only final orders that were completed before this time, such as those soon to be removed',
      examples: ['2026-01-01T00:00:00Z'],
    }),
  ),
});

/** Orders in bulk, one JSON document a line, in and out. */
export function orderTransferRoutes(orders: Pick<Orders, 'importFrom'>): Route[] {
  return [
    route('POST', '/manage/v1/orders/import', 'import_orders', {
      tag: 'Orders',
      summary: 'Import orders',
      description:
        'One order per line. A rejected line does not affect the others. A line with an external_id that its store already has ' +
        'counts as existing and changes nothing, so an interrupted import can be sent again. A merchant can run two imports at a ' +
        'time; others wait, and get 503 after a minute.',
      permission: 'orders:write',
      body: { kind: 'stream', contentType: NDJSON, schema: ImportedOrder, example: IMPORT_EXAMPLE },
      responses: [{ status: 200, description: 'The outcome of the lines', schema: ImportReport }],
      handler: async ({ db, principal, body, signal }) =>
        json(
          await orders.importFrom(body, {
            db,
            scope: scopeOf(principal),
            keyId: principal.id,
            signal: signal(),
          }),
        ),
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}/orders/export', 'export_orders', {
      tag: 'Orders',
      summary: 'Export the orders of a store',
      description: 'Oldest first, in the format of the import.',
      permission: 'read',
      params: StoreParams,
      query: ExportQuery,
      responses: [
        { status: 200, description: 'One order per line', schema: ImportedOrder, contentType: NDJSON },
      ],
      handler: async ({ db, by, store, query: { completed_before: before }, takeStreamPermit }) => {
        await takeStreamPermit();
        await writeEntry(db, 'orders.exported', { by, storeId: store.id, subject: store.id });
        return jsonLines(exportOrders(db, store, before));
      },
    }),
  ];
}
