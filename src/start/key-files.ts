import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, lstat, mkdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Database } from '../postgres/database.js';
import { createSecretBox, type SecretBox, type SecretKeeper } from '../webhooks/secrets.js';
import {
  explainFolderError,
  ifExists,
  isFileThere,
  readTextIfThere,
  refuseInsteadOfFile,
  syncFolder,
} from '../postgres/bundled/files.js';
import { newSecret } from '../tenants/keys.js';
import { adoptOperatorKey, ensureOperatorKey } from '../tenants/operator-keys.js';

/** Atomically writes a file that only its owner may read. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.tmp`;
  const left = await ifExists(lstat(unfinished));
  if (left?.isDirectory() === true) throw refuseInsteadOfFile(unfinished, left);
  // Removes the remains of an interrupted write, or a link or pipe, which must not be followed or read.
  if (left !== undefined) await unlink(unfinished);
  await writeFile(unfinished, text, { flag: 'wx', mode: 0o600, flush: true });
  await chmod(unfinished, 0o600);
  await rename(unfinished, path);
}

/** Keeps the operator key of a bundled installation in a file that only its owner may read. */
export async function keepOperatorKeyInFile(db: Database, dataDir: string, log: Logger): Promise<void> {
  const path = operatorKeyFile(dataDir);
  const kept = (await readTextIfThere(path))?.trim() ?? '';
  const secret = kept === '' ? await newSecret(db) : kept;
  if (kept === '') await writePrivateFile(path, `${secret}\n`);
  if (await adoptOperatorKey(db, secret)) return;
  log.warn(
    `The key in ${path} is revoked or expired. If another operator key works, as after a rotation, ` +
      'write it into the file. To create a new one at the next start, remove the file; that revokes all others.',
  );
}

export function operatorKeyFile(dataDir: string): string {
  return join(dataDir, 'operator.key');
}

/** With an external database there may be no data folder, so the first key is printed once. */
export async function showFirstOperatorKey(db: Database): Promise<void> {
  const secret = await ensureOperatorKey(db);
  if (secret === undefined) return;
  process.stdout.write(`Operator key, shown only once: ${secret}\n`);
}

type SecretSettings = Pick<Config, 'secretKey' | 'dataDir' | 'databaseUrl'>;

const KEY_BYTES = 32;

/** The file is read when first needed, but an invalid one is reported at start-up. */
export async function refuseOddSecretFile({ secretKey, dataDir }: SecretSettings): Promise<void> {
  if (secretKey !== undefined) return;
  await isFileThere(secretKeyFile(dataDir)).catch((error: unknown) => {
    throw explainFolderError(error, dataDir);
  });
}

function secretKeyFile(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/** Encrypts secrets with a key from the configuration, or from a file that only its owner may read. */
export function createSecretKeeper(
  { secretKey, dataDir, databaseUrl }: SecretSettings,
  log: Logger,
): SecretKeeper {
  const path = secretKeyFile(dataDir);
  let hasComplained = false;
  let box: SecretBox | undefined = secretKey === undefined ? undefined : createSecretBox(secretKey);

  async function present(): Promise<SecretBox | undefined> {
    if (box !== undefined) return box;
    const key = (await readTextIfThere(path))?.trim();
    if (key === undefined) return undefined;
    if (key === '') {
      const empty = `${path} is empty, so webhooks cannot be signed. Restore its key, or remove the file to create a new one.`;
      if (!hasComplained) log.error(empty);
      hasComplained = true;
      throw new Error(empty);
    }
    if (await isOpenToOthers(path))
      log.warn(`Other users may read ${path} and sign webhooks with it. Run: chmod 600 ${path}`);
    box = createSecretBox(key);
    return box;
  }

  async function provide(): Promise<SecretBox> {
    const known = await present();
    if (known !== undefined) return known;
    await writeKey(dataDir, path);
    log[databaseUrl === undefined ? 'info' : 'warn'](
      `Created the key that encrypts webhook secrets in ${path}. Keep it with your backups: without it no ` +
        'webhook can be signed. Several machines need the same key: set it on all of them as COMANDA_SECRET_KEY.',
    );
    return provide();
  }

  return { present, provide };
}

/** Windows has no file modes. */
async function isOpenToOthers(path: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0;
}

/** If several processes create the file at once, the first wins and the others read its text. */
async function writeKey(folder: string, path: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomUUID()}`;
  await writePrivateFile(unfinished, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  try {
    await link(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(unfinished);
  }
  await syncFolder(folder);
}
