import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Database } from '../db/database.js';
import { BackupLine, RestoreReport } from '../domain/backup/shapes.js';
import type { Limits } from '../domain/limits.js';
import { negotiateGzip } from '../http/content-coding.js';
import { dropRest } from '../http/drop-rest.js';
import { Problem } from '../http/error-shapes.js';
import { operation, type Operation } from '../http/route.js';
import { SENT } from '../http/sent.js';
import { readPieces } from '../http/stream-pieces.js';
import { createBackups } from '../operations/backup/backups.js';

const NDJSON = 'application/x-ndjson';

/** The whole installation, out and into another one. */
export function backupOperations(db: Database, limits: Limits, version: string): Operation[] {
  const backups = createBackups(db, { version, idleSeconds: limits.importIdleSeconds });
  return [
    operation({
      method: 'GET',
      path: '/manage/v1/backup',
      operationId: 'backup',
      tag: 'Backup',
      summary: 'Back up the installation',
      description:
        'Merchants, stores, merchants’ keys (as hashes), menus with all their versions and marks, and orders with their ' +
        'history, as they are at this moment. The last line tells the number of rows and a SHA-256: an archive without ' +
        'it is cut off.',
      permission: 'operator',
      answers: [{ status: 200, description: 'The archive', schema: BackupLine, contentType: NDJSON }],
      handler: async ({ request, reply }) => {
        const coding = negotiateGzip(request.headers['accept-encoding']);
        const out = coding === 'gzip' ? createGzip({ level: 3 }) : new PassThrough();
        out.on('error', () => undefined);
        const written = backups.write(out);
        written.catch((error: unknown) => out.destroy(error as Error));
        // What fails before the first byte is answered like any other failure; after it, only a cut can tell.
        await Promise.race([written, once(out, 'readable')]);
        if (coding === 'gzip') reply.header('content-encoding', coding);
        reply
          .type(NDJSON)
          .headers({
            vary: 'accept-encoding',
            'cache-control': 'no-store',
            'content-disposition': 'attachment; filename="comanda-backup.ndjson"',
          })
          .send(out);
        return SENT;
      },
    }),
    operation({
      method: 'POST',
      path: '/manage/v1/restore',
      operationId: 'restore',
      tag: 'Backup',
      summary: 'Restore a backup',
      description:
        'Takes an archive into an installation that has no merchants yet, whole or not at all. Keys, ids, versions and ' +
        'times stay what they were; operator keys are each installation’s own.',
      permission: 'operator',
      body: { kind: 'stream', contentType: NDJSON, schema: BackupLine },
      answers: [
        { status: 200, description: 'How many rows each table has now', schema: RestoreReport },
        {
          status: 409,
          description: 'The installation has merchants already, or another restore is under way',
          schema: Problem,
        },
      ],
      handler: async ({ body, reply }) => {
        const onIdle = () => void reply.header('connection', 'close');
        try {
          return await backups.restore(readPieces(body, limits.importIdleSeconds, onIdle));
        } finally {
          // Refused before anything was read.
          dropRest(body);
        }
      },
    }),
  ];
}
