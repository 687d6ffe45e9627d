import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startPostmaster } from '../../../src/postgres/bundled/postmaster.js';
import { openServerLog, type ServerLog } from '../../../src/postgres/bundled/server-log.js';
import { makeDataFolder } from './helpers.js';

/** A disk on which closing a file takes longer than a server with an error in its settings lives. */
function onSlowDisk(serverLog: ServerLog): ServerLog {
  return {
    ...serverLog,
    open: async () => {
      const handle = await serverLog.open();
      const close = handle.close.bind(handle);
      handle.close = () => delay(300).then(close);
      return handle;
    },
  };
}

async function startProgram(postgres: string): Promise<unknown> {
  const dataDir = await makeDataFolder();
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { recursive: true });
  const serverLog = openServerLog(join(dataDir, 'postgres.log'));
  const options = {
    postgres,
    folder,
    runAs: undefined,
    maxConnections: 10,
    serverLog: onSlowDisk(serverLog),
    log: () => undefined,
  };
  return startPostmaster(options, AbortSignal.timeout(30_000)).finally(() => serverLog.close());
}

it('sees a server end that ends at once', async () => {
  // Node does not know PostgreSQL's options.
  await expect(startProgram(process.execPath)).rejects.toThrow('did not start (exit code 9)');
});

it('sees that a server could not be started at all', async () => {
  await expect(startProgram('/no/such/program')).rejects.toThrow(
    'did not start (spawn /no/such/program ENOENT)',
  );
});
