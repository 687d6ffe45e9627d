import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { isLoopback } from '../support/subnet.js';
import { openDatabase, type Database } from '../postgres/database.js';
import { findKeyBySecret } from '../tenants/keys.sql.js';
import {
  DEMO_KEY_LABEL,
  findGuestCode,
  loadDemo,
  readDemoState,
  type DemoCounts,
} from '../demo/load-demo.js';
import { StartupError } from '../support/errors.js';
import { exampleIds } from '../support/example-ids.js';
import { PERMISSIONS } from '../access/permissions.js';
import { GIVEN_OPERATOR } from '../access/authentication.js';
import { hashSecret } from '../access/secret.js';
import { readTextIfThere } from '../postgres/bundled/files.js';
import { closeOnAbort, type Installation } from './installation.js';
import { makeCode } from '../access/sessions.sql.js';
import { issueKey } from '../tenants/keys.js';
import { writePrivateFile } from './key-files.js';

/** The demo restaurant that this start found or created. */
export interface ProvidedDemo {
  /** What this start loaded; undefined if the demo was already there. */
  readonly loaded: DemoCounts | undefined;
  /** A file to source in a shell; undefined if the demo's key has been revoked. */
  readonly keyFile: string | undefined;
  /** Opens the console once, within ten minutes, as the demo merchant; only from the start that loaded the demo, in a terminal. */
  readonly consoleCode: string | undefined;
  /** The code of a place where guests can order. */
  readonly guestCode: string | undefined;
}

/** The demo is optional: if it cannot be loaded, the service runs without it. */
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
    // Logs are stored, so a sign-in code is created only for a terminal.
    const isFirstLook = isTerminal && loaded !== undefined && key !== undefined;
    const consoleCode = isFirstLook
      ? await makeCode(db, hashSecret(key.secret), new Date(Date.now() + 10 * 60_000))
      : undefined;
    return { loaded, keyFile: key?.file, consoleCode, guestCode: await findGuestCode(db) };
  } catch (error) {
    const what = 'The demo restaurant could not be loaded; the service runs without it';
    if (error instanceof StartupError) log.warn(`${what}. ${error.message}`);
    else if (!signal.aborted) log.warn({ err: error }, what);
    return undefined;
  } finally {
    stopWaiting();
    await db.close();
  }
}

/** Writes the address and a key of the demo merchant to a file that only its owner may read. */
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
  const wanted = `# Access to the demo restaurant. Load it into a shell with: . ${file}\nexport COMANDA_URL=${url}\nexport COMANDA_KEY=${secret}\n`;
  if (wanted !== present) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writePrivateFile(file, wanted);
  }
  return { file, secret };
}

async function issueDemoKey(db: Database): Promise<string> {
  const { secret } = await db.transaction((tx) =>
    issueKey(tx, GIVEN_OPERATOR, {
      merchant_id: exampleIds.merchant,
      permissions: [...PERMISSIONS],
      label: DEMO_KEY_LABEL,
    }),
  );
  return secret;
}
