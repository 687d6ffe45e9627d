import type { IncomingMessage } from 'node:http';
import { PassThrough, type Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Type } from '../support/shape/type.js';
import { ARRIVING, refuseMoving } from '../access/moving.js';
import { readMoving } from '../access/moving.sql.js';
import { writeEntry } from '../audit/audit.sql.js';
import type { Coding } from '../http/content-coding.js';
import { problem } from '../http/errors.js';
import { json, NDJSON, negotiateCoding, type Response } from '../http/response.js';
import { route, type Route, type RouteRequest } from '../http/route.js';
import { findMerchant } from '../tenants/merchants.sql.js';
import { MerchantParams } from '../tenants/routes.manage.js';
import { BackupLine, checkPosition, Position, RestoreReport } from './archive.js';
import type { Backups } from './backup.js';

/** Only the header: an installation with data rejects the archive anyway. */
const ARCHIVE_EXAMPLE = { format: 'comanda-backup', number: 1, schema: 10, version: '0.2.0' };

const MERCHANT_ARCHIVE_EXAMPLE = { ...ARCHIVE_EXAMPLE, format: 'comanda-merchant' };

/** What an operator does with one merchant, also while it moves. */
export const ofMerchant = {
  tag: 'Merchants',
  permission: 'operator',
  params: MerchantParams,
  isOfMove: true,
  findResource: (call: RouteRequest<{ readonly merchant_id: string }>) =>
    findMerchant(call, call.params.merchant_id),
} as const;

/** Streams an archive as it is written. */
export function respondWith(
  request: IncomingMessage,
  fileName: string,
  write: (out: Writable) => Promise<void>,
): Response {
  const coding = negotiateCoding(request.headers['accept-encoding'], ['gzip']);
  const headers = {
    'content-type': NDJSON,
    vary: 'Accept-Encoding',
    'cache-control': 'no-store',
    'content-disposition': `attachment; filename="${fileName}"`,
    ...(coding === 'gzip' ? { 'content-encoding': coding } : {}),
  };
  return { status: 200, headers: Object.entries(headers).flat(), body: written(coding, write) };
}

/** Nothing begins before the first read: HEAD reads nothing, and would hold a snapshot and a permit. */
async function* written(coding: Coding, write: (out: Writable) => Promise<void>): AsyncGenerator<Uint8Array> {
  const out = coding === 'gzip' ? createGzip({ level: 3 }) : new PassThrough();
  // Without a listener an error would end the process; the reader of the response gets it anyway.
  out.on('error', () => undefined);
  write(out).catch((error: unknown) => out.destroy(error as Error));
  yield* out as AsyncIterable<Uint8Array>;
}

export function backupRoutes(backups: Backups): Route[] {
  return [
    route('GET', '/manage/v1/backup', 'backup', {
      tag: 'Backup',
      summary: 'Back up the installation',
      description:
        'Merchants, stores, merchant keys (as hashes), menus with all versions and stock, and orders with their ' +
        'history, as of this moment. The last line has the number of rows and a SHA-256: an archive without ' +
        'it is incomplete.',
      permission: 'operator',
      isHeldOpen: true,
      responses: [
        { status: 200, description: 'The archive', schema: BackupLine, contentType: NDJSON },
        problem(409, 'A newer version has migrated the database'),
      ],
      handler: async ({ db: own, by, request }) => {
        await writeEntry(own, 'backup.taken', { by, subject: 'installation' });
        return respondWith(request, 'comanda-backup.ndjson', (out) => backups.write(out));
      },
    }),
    route('GET', '/manage/v1/merchants/{merchant_id}/archive', 'archive_merchant', {
      ...ofMerchant,
      summary: 'Archive a merchant',
      description:
        'The whole merchant as of this moment, and nothing of anyone else: its stores, keys (as hashes), menus, orders with their ' +
        'history, events, counters, places, webhooks (secrets sealed) and audit log. The last line has the number of rows and a ' +
        'SHA-256.',
      isHeldOpen: true,
      responses: [
        { status: 200, description: 'The archive', schema: BackupLine, contentType: NDJSON },
        problem(409, 'A newer version has migrated the database'),
      ],
      handler: async ({ db: own, by, request, params: { merchant_id: id } }) => {
        const moving = await readMoving(own, { merchantId: id });
        if (moving !== ARRIVING) refuseMoving(moving, false);
        await writeEntry(own, 'merchant.archived', { by, subject: id });
        return respondWith(request, `merchant-${id}.ndjson`, (out) => backups.write(out, id));
      },
    }),
    route('POST', '/manage/v1/merchants/restore', 'restore_merchant', {
      tag: 'Merchants',
      summary: 'Restore the archive of a merchant',
      description:
        'Takes a merchant from another installation, all or nothing, with the same ids. Store numbers and menu ids must be free ' +
        'here, which cells (`COMANDA_CELL`) guarantee. Delete the merchant in the old place, or its webhooks send from both. With ' +
        '`position`, which a move gives, it is held until the move has ended.',
      permission: 'operator',
      query: Type.Object({ position: Type.Optional(Position) }),
      body: { kind: 'stream', contentType: NDJSON, schema: BackupLine, example: MERCHANT_ARCHIVE_EXAMPLE },
      responses: [
        { status: 200, description: 'Number of rows of each table', schema: RestoreReport },
        problem(
          409,
          'The merchant, or an id or number of it, is here already, or another restore is under way',
        ),
      ],
      handler: async ({ body, by, query: { position } }) =>
        json(await backups.restore(body, 'merchant', by, position && checkPosition('position', position))),
    }),
    route('POST', '/manage/v1/restore', 'restore', {
      tag: 'Backup',
      summary: 'Restore a backup',
      description:
        'Restores an archive, all or nothing, into an installation without merchants. Keys, ids, versions and ' +
        'times are kept. Operator keys are not part of an archive.',
      permission: 'operator',
      body: { kind: 'stream', contentType: NDJSON, schema: BackupLine, example: ARCHIVE_EXAMPLE },
      responses: [
        { status: 200, description: 'Number of rows of each table', schema: RestoreReport },
        problem(
          409,
          'The installation has merchants already, the archive is of another cell or has orders that the sales do not count, another restore is under way, or a newer version has migrated the database',
        ),
      ],
      handler: async ({ body, by }) => json(await backups.restore(body, 'installation', by)),
    }),
  ];
}
