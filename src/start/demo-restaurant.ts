import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { openDatabase, type Database } from '../db/database.js';
import { findKeyBySecret } from '../db/keys.js';
import { DEMO_KEY_LABEL, loadDemo, readDemoState, type DemoCounts } from '../demo/load-demo.js';
import { StartRefused } from '../domain/errors.js';
import { exampleIds } from '../domain/example-ids.js';
import { PERMISSIONS } from '../domain/key/principal.js';
import { hashSecret } from '../domain/key/secret.js';
import { isLoopback } from '../domain/loopback.js';
import { readTextIfThere } from '../embedded/files.js';
import { closeOnAbort, type Installation } from './installation.js';
import { makeCode } from '../operations/console-sessions.js';
import { issueKey } from '../operations/keys.js';
import { writePrivateFile } from './private-file.js';

/** The demo as this start found or made it. */
export interface ProvidedDemo {
  /** What this start loaded; undefined where it was there before. */
  readonly loaded: DemoCounts | undefined;
  /** A file to source; undefined where the demo's key has been revoked. */
  readonly keyFile: string | undefined;
  /** Opens the console once, within ten minutes, as the demo merchant; only from the start that loaded the demo, in a terminal. */
  readonly consoleCode: string | undefined;
}

/** The demo is an offer, not a need: the service runs without it when it cannot be loaded. */
export async function provideDemo(
  config: Config,
  installation: Installation,
  url: string,
  log: Logger,
  { isTerminal, signal }: { readonly isTerminal: boolean; readonly signal: AbortSignal },
): Promise<ProvidedDemo | undefined> {
  if (config.demo === 'off' || (config.demo !== 'on' && !installation.isBundled)) return undefined;
  const db = openDatabase({ connection: installation.connection, poolSize: 3 });
  const stopWaiting = closeOnAbort(db, signal);
  try {
    const state = await readDemoState(db);
    const isWelcome = config.demo === 'on' || (isTerminal && installation.isNew && isLoopback(config.host));
    if (state === 'deleted' || (state === 'absent' && !isWelcome)) return undefined;
    const loaded = state === 'complete' ? undefined : await loadDemo(db, config.limits, Date.now());
    const key = await keepDemoKey(db, config.dataDir, url);
    // A log is kept and passed on: a code is made only for a person who sees it at once.
    const isFirstLook = isTerminal && loaded !== undefined && key !== undefined;
    const consoleCode = isFirstLook ? await makeCode(db, key.secret) : undefined;
    return { loaded, keyFile: key?.file, consoleCode };
  } catch (error) {
    const what = 'The demo restaurant is not available; the service runs without it';
    if (error instanceof StartRefused) log.warn(`${what}. ${error.message}`);
    else if (!signal.aborted) log.warn({ err: error }, what);
    return undefined;
  } finally {
    stopWaiting();
    await db.close();
  }
}

/** Keeps the address and a key of the demo merchant in a file that its owner alone may read. */
async function keepDemoKey(
  db: Database,
  dataDir: string,
  url: string,
): Promise<{ file: string; secret: string } | undefined> {
  const file = join(dataDir, 'demo.env');
  const present = await readTextIfThere(file);
  const kept = /^export COMANDA_KEY=(\S+)$/m.exec(present ?? '')?.[1];
  const known =
    kept === undefined ? undefined : await findKeyBySecret(db, hashSecret(kept), exampleIds.merchant);
  if (known?.isLive === false) return undefined;
  const secret = kept !== undefined && known !== undefined ? kept : await issueDemoKey(db);
  const wanted = `# The demo restaurant, for a shell: . ${file}\nexport COMANDA_URL=${url}\nexport COMANDA_KEY=${secret}\n`;
  if (wanted !== present) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writePrivateFile(file, wanted);
  }
  return { file, secret };
}

async function issueDemoKey(db: Database): Promise<string> {
  const { secret } = await db.transaction((tx) =>
    issueKey(tx, {
      merchant_id: exampleIds.merchant,
      permissions: [...PERMISSIONS],
      label: DEMO_KEY_LABEL,
    }),
  );
  return secret;
}
