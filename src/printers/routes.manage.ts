import { Type } from '../support/shape/type.js';
import { newCode } from '../access/code.js';
import { audit } from '../audit/audit.sql.js';
import { isPermitted } from '../access/principal.js';
import { problem } from '../http/errors.js';
import { respondOnce, IdempotencyHeaders } from '../http/idempotency.js';
import type { PublicOrigin } from '../http/origin.js';
import { json, noContent, type Response } from '../http/response.js';
import { route, storeRoute, type Route, type RouteRequest } from '../http/route.js';
import { storeOfOrder } from '../orders/id.js';
import type { Orders } from '../orders/orders.js';
import { findOrder } from '../orders/read.sql.js';
import type { SharedDatabase } from '../postgres/database.js';
import { Conflict, NotFound, requireFound } from '../support/errors.js';
import { exampleIds } from '../support/example-ids.js';
import { SkipLimit } from '../support/shape/common-shapes.js';
import { isResourceId } from '../support/uuid.js';
import { StoreParams, TrialStoreParams } from '../tenants/routes.manage.js';
import { lockStore } from '../tenants/stores.sql.js';
import {
  deletePrinter,
  getPrinter,
  insertPrinter,
  listPrinters,
  MOST_PRINTERS,
  updatePrinter,
  type StoredPrinter,
} from './printers.sql.js';
import { readBehind } from './queue.js';
import {
  DEFAULTS,
  Printer,
  PrinterCreate,
  PrinterDetails,
  PrinterPatch,
  PrintRequest,
  type PrinterSettings,
} from './shapes.js';
import { ONLINE_MS } from './state.js';

/** Test prints and copies that wait. */
const MOST_EXTRAS = 50;

const PrinterParams = Type.Object({
  ...TrialStoreParams.properties,
  printer_id: Type.String({ description: 'The id of the printer, not its code', examples: [exampleIds.key] }),
});

type PrinterRequest = RouteRequest<{ printer_id: string }> & {
  readonly store: { readonly id: string; readonly storeKey: number };
};

/** Printers and what they are to print. */
export function printerRoutes(originOf: PublicOrigin, { readManaged }: Pick<Orders, 'readManaged'>): Route[] {
  const show = (
    printer: StoredPrinter,
    { request, principal }: Pick<RouteRequest, 'request' | 'principal'>,
  ): Printer => ({
    id: printer.id,
    ...printer.settings,
    ...(isPermitted(principal, 'store:write') && { url: `${originOf(request)}/print/${printer.code}` }),
    created_at: printer.created_at.toISOString(),
    ...(printer.trouble !== null && { trouble: printer.trouble }),
  });
  const common = { tag: 'Printers', permission: 'store:write' } as const;
  const ofPrinter = {
    ...common,
    params: PrinterParams,
    findResource: async ({ db, store, params: { printer_id: id } }: PrinterRequest) =>
      requireFound(isResourceId(id) ? await getPrinter(db, store.storeKey, id) : undefined, 'Printer'),
  };
  return [
    storeRoute('POST', '/manage/v1/stores/{store_id}/printers', 'create_printer', {
      ...common,
      summary: 'Add a printer',
      description:
        'It prints what happens from now on. Enter the `url` in the printer, or pass it to `comanda printers bridge`. A store has at ' +
        `most ${MOST_PRINTERS} printers.`,
      params: TrialStoreParams,
      headers: IdempotencyHeaders,
      body: {
        kind: 'json',
        schema: PrinterCreate,
        example: { label: 'Kitchen', protocol: 'cloudprnt', prep_types: ['hot'], columns: 48 },
      },
      responses: [
        { status: 201, description: 'The printer', schema: Printer },
        problem(409, 'The store has too many printers'),
      ],
      handler: (call) =>
        respondOnce(call, async (tx) => {
          const { store, body } = call;
          await lockStore(tx, store.id);
          const others = await listPrinters(tx, store.storeKey, { skip: 0, limit: MOST_PRINTERS });
          if (others.length === MOST_PRINTERS)
            throw new Conflict(`A store has at most ${MOST_PRINTERS} printers`);
          const made = await insertPrinter(tx, store.storeKey, { ...DEFAULTS, ...body });
          await audit(tx, 'printer.created', { storeId: store.id, subject: made.id, after: made.settings });
          return { status: 201, body: show(made, call) };
        }),
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}/printers', 'list_printers', {
      ...common,
      summary: 'List the printers of a store',
      description: 'Oldest first.',
      permission: 'kitchen:read',
      params: StoreParams,
      query: SkipLimit,
      responses: [{ status: 200, description: 'The printers', schema: Type.Array(Printer) }],
      handler: async (call) => {
        const printers = await listPrinters(call.db, call.store.storeKey, call.query);
        return json(printers.map((printer) => show(printer, call)));
      },
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}/printers/{printer_id}', 'get_printer', {
      ...ofPrinter,
      summary: 'Get a printer and its state',
      description:
        'With how many orders wait for it, what it last told of its paper and cover, and what keeps it from printing.',
      permission: 'kitchen:read',
      responses: [{ status: 200, description: 'The printer', schema: PrinterDetails }],
      handler: async (call) => {
        const { db, store, resource: printer } = call;
        const { behind, oldestAt } = await readBehind(db, { printer, store });
        const { last_poll_at: polledAt } = printer;
        return json({
          ...show(printer, call),
          online: polledAt !== null && Date.now() - polledAt.getTime() < ONLINE_MS,
          last_poll_at: polledAt ?? undefined,
          paper: printer.paper,
          cover: printer.cover,
          behind,
          oldest_at: oldestAt,
        });
      },
    }),
    storeRoute('PATCH', '/manage/v1/stores/{store_id}/printers/{printer_id}', 'change_printer', {
      ...ofPrinter,
      summary: 'Change a printer',
      description: 'Its address stays. null clears `prep_types`, `services` and `language`.',
      body: { kind: 'json', schema: PrinterPatch, example: { label: 'Bar', prep_types: ['bar'] } },
      responses: [{ status: 200, description: 'The printer', schema: Printer }],
      handler: async (call) => {
        const { settings } = call.resource;
        const merged = Object.entries({ ...settings, ...call.body }).filter(([, value]) => value !== null);
        return json(
          show(
            await change(call, 'printer.changed', {
              settings: { ...DEFAULTS, ...(Object.fromEntries(merged) as PrinterSettings) },
            }),
            call,
          ),
        );
      },
    }),
    storeRoute('POST', '/manage/v1/stores/{store_id}/printers/{printer_id}/rotate', 'rotate_printer', {
      ...ofPrinter,
      summary: 'Give a printer a new address',
      description: 'The old address ends with the next request. Nothing that waits is lost.',
      responses: [{ status: 200, description: 'The printer with its new address', schema: Printer }],
      handler: async (call) => json(show(await change(call, 'printer.rotated', { code: newCode() }), call)),
    }),
    storeRoute('POST', '/manage/v1/stores/{store_id}/printers/{printer_id}/test', 'test_printer', {
      ...ofPrinter,
      summary: 'Print a test ticket',
      description: 'With the next poll of the printer.',
      responses: [
        { status: 202, description: 'It waits for the printer' },
        problem(409, 'Too many copies wait for the printer'),
      ],
      handler: ({ db, store, resource }) => addExtra(db, store.storeKey, resource.id),
    }),
    storeRoute('DELETE', '/manage/v1/stores/{store_id}/printers/{printer_id}', 'delete_printer', {
      ...ofPrinter,
      summary: 'Remove a printer',
      description: 'Its address ends with the next request.',
      responses: [{ status: 204, description: 'The printer is gone' }],
      handler: async ({ db, store, resource }) => {
        await db.transaction(async (tx) => {
          if (!(await deletePrinter(tx, store.storeKey, resource.id))) throw new NotFound('Printer');
          await audit(tx, 'printer.deleted', {
            storeId: store.id,
            subject: resource.id,
            before: resource.settings,
          });
        });
        return noContent();
      },
    }),
    route('POST', '/manage/v1/orders/{order_id}/print', 'print_order', {
      tag: 'Printers',
      permission: 'orders:write',
      summary: 'Print a copy of an order',
      description: 'With the next poll of the printer, marked as a copy.',
      params: Type.Object({
        order_id: Type.String({ description: 'The id of the order', examples: [exampleIds.order] }),
      }),
      storeOfPath: storeOfOrder('order_id'),
      findResource: async (call) => {
        await findOrder(readManaged, call, call.params.order_id);
        return call.store;
      },
      body: { kind: 'json', schema: PrintRequest, example: { printer_id: exampleIds.key } },
      responses: [
        { status: 202, description: 'It waits for the printer' },
        problem(409, 'Too many copies wait for the printer'),
      ],
      handler: ({ db, resource: store, params: { order_id: orderId }, body: { printer_id: id } }) => {
        if (store === undefined || !isResourceId(id)) throw new NotFound('Printer');
        return addExtra(db, store.storeKey, id, orderId);
      },
    }),
  ];
}

/** Changes a printer, and says so in the audit log; a new address is told as such, never itself. */
function change(
  { db, store, resource }: PrinterRequest & { readonly resource: StoredPrinter },
  type: 'printer.changed' | 'printer.rotated',
  wanted: Parameters<typeof updatePrinter>[3],
): Promise<StoredPrinter> {
  return db.transaction(async (tx) => {
    const changed = requireFound(await updatePrinter(tx, store.storeKey, resource.id, wanted), 'Printer');
    const { label } = changed.settings;
    const parts =
      type === 'printer.changed'
        ? { before: resource.settings, after: changed.settings }
        : { after: { label } };
    await audit(tx, type, { storeId: store.id, subject: resource.id, ...parts });
    return changed;
  });
}

async function addExtra(
  db: SharedDatabase,
  storeKey: number,
  id: string,
  orderId?: string,
): Promise<Response> {
  await db.transaction(async (tx) => {
    const { extras } = requireFound(await getPrinter(tx, storeKey, id, true), 'Printer');
    if (extras.length >= MOST_EXTRAS) throw new Conflict(`At most ${MOST_EXTRAS} copies wait for a printer`);
    await updatePrinter(tx, storeKey, id, { extras: [...extras, { id: newCode(), order_id: orderId }] });
  });
  return { status: 202, headers: [] };
}
