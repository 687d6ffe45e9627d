import { writeEntry } from '../audit/audit.sql.js';
import type { Logger } from 'pino';
import { Type } from '../support/shape/type.js';
import { problem } from '../http/errors.js';
import { json, jsonLines, NDJSON } from '../http/response.js';
import { route, type Route } from '../http/route.js';
import type { Database } from '../postgres/database.js';
import { exampleIds } from '../support/example-ids.js';
import { exportCustomer, storesToExport } from './export.js';
import { eraseOnRequest } from './erase-on-request.js';
import { CustomerRecord, EraseReport, EraseRequest, Phone } from './shapes.js';

interface CustomerContext {
  readonly db: Database;
  readonly log: Logger;
}

const ExportQuery = Type.Object({
  phone: Phone(),
  store_ids: Type.Optional(
    Type.String({
      description: 'Only these stores, separated by commas. Default: every store of the key',
      examples: [exampleIds.store],
    }),
  ),
});

/** Forgetting customers, and telling them what is held about them. */
export function customerRoutes({ db, log }: CustomerContext): Route[] {
  return [
    route('POST', '/manage/v1/customers/erase', 'erase_customers', {
      tag: 'Customers',
      summary: 'Erase customers',
      description:
        'Permanent. Name and phone of the orders become empty; comments, notes on lines and reasons in words are removed, also from ' +
        'history, search, events and the responses of webhook receivers. Items and prices stay. An order that was erased before is ' +
        'not counted, so a request can be repeated. An operator may name orders that do not exist: they are erased when a backup ' +
        'that has them is restored.',
      permission: 'orders:write',
      body: {
        kind: 'json',
        schema: EraseRequest,
        example: { phone: '+48 22 555 01 23', store_ids: [exampleIds.trialStore], dry_run: true },
      },
      responses: [{ status: 200, description: 'How many orders, store by store', schema: EraseReport }],
      handler: async (call) => {
        const report = await eraseOnRequest(db, call, call.body);
        if (!report.dry_run)
          log.info({ key_id: call.principal.id, orders: report.orders }, 'Customers were erased');
        return json(report);
      },
    }),
    route('GET', '/manage/v1/customers/export', 'export_customer', {
      tag: 'Customers',
      summary: 'Export what is held about a customer',
      description: 'Every order with this phone number and its history, one per line.',
      permission: 'read',
      query: ExportQuery,
      responses: [
        { status: 200, description: 'One order per line', schema: CustomerRecord, contentType: NDJSON },
        problem(404, 'One of the stores does not exist, or the key may not see it'),
      ],
      handler: async (call) => {
        await call.takeStreamPermit();
        const stores = await storesToExport(call.db, call.principal, call.query.store_ids);
        for (const merchantId of new Set(stores.map((store) => store.merchantId))) {
          const own = stores.filter((store) => store.merchantId === merchantId);
          await writeEntry(call.db, 'customer.exported', {
            by: call.by,
            merchantId,
            storeId: own.length === 1 ? own[0]?.id : undefined,
            subject: 'phone',
            after: { stores: own.length },
          });
        }
        return jsonLines(exportCustomer(db, stores, call.query.phone));
      },
    }),
  ];
}
