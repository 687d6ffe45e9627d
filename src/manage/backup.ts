import { PassThrough } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Database } from '../db/database.js';
import { BackupLine, RestoreReport } from '../domain/backup/shapes.js';
import type { Limits } from '../domain/limits.js';
import { json, NDJSON, negotiateGzip } from '../http/answer.js';
import { Problem } from '../http/errors.js';
import { route, type Route } from '../http/route.js';
import { createBackups } from '../operations/backup/backups.js';

/** Only the first line: an installation with anything in it refuses what follows. */
const ARCHIVE_EXAMPLE = '{"format":"comanda-backup","number":1,"schema":10,"version":"0.1.0"}\n';

/** The whole installation, out and into another one. */
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
        'Merchants, stores, merchants’ keys (as hashes), menus with all their versions and marks, and orders with their ' +
        'history, as they are at this moment. The last line tells the number of rows and a SHA-256: an archive without ' +
        'it is cut off.',
      permission: 'operator',
      isHeldOpen: true,
      answers: [
        { status: 200, description: 'The archive', schema: BackupLine, contentType: NDJSON },
        { status: 409, description: 'A newer version has migrated the database', schema: Problem },
      ],
      handler: ({ request }) => {
        const coding = negotiateGzip(request.headers['accept-encoding']);
        const out = coding === 'gzip' ? createGzip({ level: 3 }) : new PassThrough();
        // Without a listener a failure would end the process; whoever reads the answer is told of it all the same.
        out.on('error', () => undefined);
        backups.write(out).catch((error: unknown) => out.destroy(error as Error));
        const headers = {
          'content-type': NDJSON,
          vary: 'Accept-Encoding',
          'cache-control': 'no-store',
          'content-disposition': 'attachment; filename="comanda-backup.ndjson"',
          ...(coding === 'gzip' ? { 'content-encoding': coding } : {}),
        };
        return { status: 200, headers: Object.entries(headers).flat(), body: out };
      },
    }),
    route({
      method: 'POST',
      path: '/manage/v1/restore',
      operationId: 'restore',
      tag: 'Backup',
      summary: 'Restore a backup',
      description:
        'Takes an archive into an installation that has no merchants yet, whole or not at all. Keys, ids, versions and ' +
        'times stay what they were; operator keys are each installation’s own.',
      permission: 'operator',
      body: { kind: 'stream', contentType: NDJSON, schema: BackupLine, example: ARCHIVE_EXAMPLE },
      answers: [
        { status: 200, description: 'How many rows each table has now', schema: RestoreReport },
        {
          status: 409,
          description:
            'The installation has merchants already, another restore is under way, or a newer version has migrated the database',
          schema: Problem,
        },
      ],
      handler: async ({ body }) => json(await backups.restore(body)),
    }),
  ];
}
