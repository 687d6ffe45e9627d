import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { preparedFolder, startProcess } from '../harness/process.js';

it('starts the bundled database with room for the connections of the service', async () => {
  const dataDir = await preparedFolder();
  const service = await startProcess({
    COMANDA_DATA_DIR: dataDir,
    COMANDA_DATABASE_POOL: '120',
  });
  onTestFinished(async () => {
    service.child.kill('SIGTERM');
    await service.ended;
    await rm(dataDir, { recursive: true, force: true });
  });
  await service.untilReady();
  const client = new pg.Client({ host: join(dataDir, 'postgres'), user: 'comanda', database: 'comanda' });
  await client.connect();
  const { rows } = await client.query<{ room: number }>(
    `SELECT current_setting('max_connections')::int AS room`,
  );
  await client.end();
  expect(rows[0]?.room).toBeGreaterThan(120 + 9);
});
