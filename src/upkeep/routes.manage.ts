import type { IncomingMessage } from 'node:http';
import { PassThrough, type Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Logger } from 'pino';
import Type from 'typebox';
import { writeEntry } from '../audit/audit.sql.js';
import { readDatabaseStats } from '../postgres/database-stats.js';
import type { Database } from '../postgres/database.js';
import { BackupLine, RestoreReport } from './archive.js';
import type { Limits } from '../support/limits.js';
import { coverOf, type Subnet } from '../support/subnet.js';
import { Datetime } from '../support/shape/common-shapes.js';
import { createClientAddress } from '../http/client-address.js';
import { json, NDJSON, negotiateGzip, noContent, type Response } from '../http/response.js';
import { Problem } from '../http/errors.js';
import { findMerchant } from '../tenants/merchants.sql.js';
import { route, storeRoute, type Route } from '../http/route.js';
import { createBackups } from './backup.js';
import { removeDeletedStores } from './cleanup.js';
import { deleteMerchant, deleteStore } from './deletions.js';
import { MerchantParams, StoreParams } from '../tenants/routes.manage.js';

/** Only the header: an installation with data rejects the archive anyway. */
const ARCHIVE_EXAMPLE = { format: 'comanda-backup', number: 1, schema: 10, version: '0.2.0' };

const MERCHANT_ARCHIVE_EXAMPLE = { ...ARCHIVE_EXAMPLE, format: 'comanda-merchant' };

/** Streams an archive as it is written. */
function respondWith(
  request: IncomingMessage,
  fileName: string,
  write: (out: Writable) => Promise<void>,
): Response {
  const coding = negotiateGzip(request.headers['accept-encoding']);
  const out = coding === 'gzip' ? createGzip({ level: 3 }) : new PassThrough();
  // Without a listener an error would end the process; the reader of the response gets it anyway.
  out.on('error', () => undefined);
  write(out).catch((error: unknown) => out.destroy(error as Error));
  const headers = {
    'content-type': NDJSON,
    vary: 'Accept-Encoding',
    'cache-control': 'no-store',
    'content-disposition': `attachment; filename="${fileName}"`,
    ...(coding === 'gzip' ? { 'content-encoding': coding } : {}),
  };
  return { status: 200, headers: Object.entries(headers).flat(), body: out };
}

/** Backup and restore. */
export function backupRoutes(db: Database, limits: Limits, version: string): Route[] {
  const backups = createBackups(db, { version, idleSeconds: limits.importIdleSeconds });
  return [
    route({
      method: 'GET',
      path: '/manage/v1/backup',
      operationId: 'backup',
      tag: 'Backup',
      summary: 'Back up the installation',
      description:
        'Merchants, stores, merchant keys (as hashes), menus with all versions and stock, and orders with their ' +
        'history, as of this moment. The last line has the number of rows and a SHA-256: an archive without ' +
        'it is incomplete.',
      permission: 'operator',
      isHeldOpen: true,
      answers: [
        { status: 200, description: 'The archive', schema: BackupLine, contentType: NDJSON },
        { status: 409, description: 'A newer version has migrated the database', schema: Problem },
      ],
      handler: async ({ db: own, by, request }) => {
        await writeEntry(own, 'backup.taken', { by, subject: 'installation' });
        return respondWith(request, 'comanda-backup.ndjson', (out) => backups.write(out));
      },
    }),
    route({
      method: 'GET',
      path: '/manage/v1/merchants/{merchant_id}/archive',
      operationId: 'archive_merchant',
      tag: 'Merchants',
      summary: 'Archive a merchant',
      description:
        'The whole merchant as of this moment, and nothing of anyone else: its stores, keys (as hashes), menus, orders with their ' +
        'history, events, counters, places, webhooks (secrets sealed) and audit log. The last line has the number of rows and a ' +
        'SHA-256.',
      permission: 'operator',
      params: MerchantParams,
      findResource: (call) => findMerchant(call, call.params.merchant_id),
      isHeldOpen: true,
      answers: [
        { status: 200, description: 'The archive', schema: BackupLine, contentType: NDJSON },
        { status: 409, description: 'A newer version has migrated the database', schema: Problem },
      ],
      handler: async ({ db: own, by, request, params: { merchant_id: id } }) => {
        await writeEntry(own, 'merchant.archived', { by, subject: id });
        return respondWith(request, `merchant-${id}.ndjson`, (out) => backups.write(out, id));
      },
    }),
    route({
      method: 'POST',
      path: '/manage/v1/merchants/restore',
      operationId: 'restore_merchant',
      tag: 'Merchants',
      summary: 'Restore the archive of a merchant',
      description:
        'Takes a merchant from another installation, all or nothing, with the same ids. Store numbers and menu ids must be free ' +
        'here, which cells (`COMANDA_CELL`) guarantee. Delete the merchant in the old place, or its webhooks send from both.',
      permission: 'operator',
      body: { kind: 'stream', contentType: NDJSON, schema: BackupLine, example: MERCHANT_ARCHIVE_EXAMPLE },
      answers: [
        { status: 200, description: 'Number of rows of each table', schema: RestoreReport },
        {
          status: 409,
          description:
            'The merchant, or an id or number of it, is here already, or another restore is under way',
          schema: Problem,
        },
      ],
      handler: async ({ body, by }) => json(await backups.restore(body, 'merchant', by)),
    }),
    route({
      method: 'POST',
      path: '/manage/v1/restore',
      operationId: 'restore',
      tag: 'Backup',
      summary: 'Restore a backup',
      description:
        'Restores an archive, all or nothing, into an installation without merchants. Keys, ids, versions and ' +
        'times are kept. Operator keys are not part of an archive.',
      permission: 'operator',
      body: { kind: 'stream', contentType: NDJSON, schema: BackupLine, example: ARCHIVE_EXAMPLE },
      answers: [
        { status: 200, description: 'Number of rows of each table', schema: RestoreReport },
        {
          status: 409,
          description:
            'The installation has merchants already, the archive is of another cell, another restore is under way, or a newer version has migrated the database',
          schema: Problem,
        },
      ],
      handler: async ({ body, by }) => json(await backups.restore(body, 'installation', by)),
    }),
  ];
}

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const DatabaseState = Type.Object(
  {
    bytes: Count('The size of the whole database', 52_428_800),
    transaction_age: Count(
      'Transactions since the oldest row was frozen; at about 2,000,000,000 the database stops accepting writes',
      120_000,
    ),
    oldest_transaction_seconds: Count(
      'Age of the oldest open transaction; vacuum cannot remove rows that died after it began',
      0,
    ),
    tables: Type.Array(
      Type.Object(
        {
          name: Type.String({ examples: ['orders'] }),
          bytes: Count('Size including indexes', 31_457_280),
          live_rows: Count('Estimated number of rows', 20_000),
          dead_rows: Count('Estimated number of dead rows that wait for a vacuum', 150),
          vacuumed_at: Type.Optional(Datetime({ examples: ['2030-01-01T12:00:00.000Z'] })),
        },
        { $id: 'TableState' },
      ),
      { description: 'Largest first' },
    ),
  },
  { $id: 'DatabaseState' },
);

const Connection = Type.Object(
  {
    address: Type.String({ description: 'What the service takes for the client', examples: ['203.0.113.7'] }),
    forwarded: Type.Union([Type.Literal('none'), Type.Literal('trusted'), Type.Literal('ignored')], {
      description: '`X-Forwarded-For`: not sent, sent by a trusted proxy, or sent by someone else',
      examples: ['trusted'],
    }),
    public_url: Type.Optional(
      Type.String({ description: '`COMANDA_PUBLIC_URL`', examples: ['https://orders.example'] }),
    ),
  },
  { $id: 'Connection' },
);

export interface PublicSide {
  readonly trustedProxies: readonly Subnet[];
  readonly publicUrl: string | undefined;
}

/** What `comanda doctor` asks about: the database, and the way to the service. */
export function doctorRoutes(db: Database, { trustedProxies, publicUrl }: PublicSide): Route[] {
  const addressOf = createClientAddress(trustedProxies);
  const isProxy = coverOf(trustedProxies);
  return [
    route({
      method: 'GET',
      path: '/manage/v1/connection',
      operationId: 'describe_connection',
      tag: 'Backup',
      summary: 'Get how this request arrived',
      description:
        'Whose address the service sees, and whether it trusts the proxy. `comanda doctor --public` interprets it.',
      permission: 'read',
      answers: [{ status: 200, description: 'How the request arrived', schema: Connection }],
      handler: ({ request }) => {
        const isSent = request.headers['x-forwarded-for'] !== undefined;
        const forwarded = !isSent
          ? 'none'
          : isProxy(request.socket.remoteAddress ?? '')
            ? 'trusted'
            : 'ignored';
        return json({
          address: addressOf(request),
          forwarded,
          ...(publicUrl === undefined ? {} : { public_url: publicUrl }),
        });
      },
    }),
    route({
      method: 'GET',
      path: '/manage/v1/database',
      operationId: 'describe_database',
      tag: 'Backup',
      summary: 'Get database statistics',
      description:
        'Size, dead rows and last vacuum of each table, from the database’s own statistics: estimates that may be a few seconds ' +
        'old. `comanda doctor` interprets them. On Citus they cover all nodes.',
      permission: 'operator',
      answers: [{ status: 200, description: 'The state of the database', schema: DatabaseState }],
      handler: async () => json(await readDatabaseStats(db)),
    }),
  ];
}

const Forced = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: 'Delete even if there are orders, and the orders too', examples: [false] }),
  ),
});

/** Deletions are logged; the remaining rows are removed in the background. */
export function deletionRoutes(db: Database, log: Logger): Route[] {
  const finish = (what: Readonly<Record<string, string | boolean>>, sentence: string) => {
    log.info(what, sentence);
    // If it fails, the next cleanup continues.
    removeDeletedStores(db).catch((error: unknown) =>
      log.debug({ err: error }, 'The removal will continue later'),
    );
    return noContent();
  };
  return [
    storeRoute({
      method: 'DELETE',
      path: '/manage/v1/stores/{store_id}',
      operationId: 'delete_store',
      tag: 'Stores',
      summary: 'Delete a store',
      description:
        'Permanent. The store is gone from the next request on; its menus, orders and events are removed in the ' +
        'background. A store with orders is deleted only with `force`. Ids are never ' +
        'reused.',
      permission: 'operator',
      params: StoreParams,
      storeParam: 'store_id',
      query: Forced,
      answers: [
        { status: 204, description: 'The store is deleted' },
        { status: 409, description: 'The store has orders', schema: Problem },
      ],
      handler: async ({
        db: own,
        store: { id, merchantId },
        principal,
        query: { force: isForced = false },
      }) => {
        await own.transaction((tx) => deleteStore(tx, { id, keyId: principal.id, isForced }));
        const what = { store_id: id, merchant_id: merchantId, key_id: principal.id, is_forced: isForced };
        return finish(what, 'A store was deleted');
      },
    }),
    route({
      method: 'DELETE',
      path: '/manage/v1/merchants/{merchant_id}',
      operationId: 'delete_merchant',
      tag: 'Merchants',
      summary: 'Delete a merchant',
      description:
        'Permanent. Deletes its stores and keys too; the keys stop working with the next request. A merchant whose stores have ' +
        'orders is deleted only with `force`.',
      permission: 'operator',
      params: MerchantParams,
      query: Forced,
      answers: [
        { status: 204, description: 'The merchant is deleted' },
        { status: 409, description: 'A store of the merchant has orders', schema: Problem },
      ],
      findResource: (call) => findMerchant(call, call.params.merchant_id),
      handler: async ({
        db: own,
        principal,
        params: { merchant_id: id },
        query: { force: isForced = false },
      }) => {
        await own.transaction((tx) => deleteMerchant(tx, { id, keyId: principal.id, isForced }));
        const what = { merchant_id: id, key_id: principal.id, is_forced: isForced };
        return finish(what, 'A merchant was deleted');
      },
    }),
  ];
}
