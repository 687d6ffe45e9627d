import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { createSecretBox, type SecretBox, type SecretKeeper } from '../domain/webhook/secret-box.js';
import { isFileThere, readTextIfThere, syncFolder } from '../embedded/files.js';
import { explainFolderError } from '../embedded/operator-errors.js';
import { writePrivateFile } from './private-file.js';

type SecretSettings = Pick<Config, 'secretKey' | 'dataDir' | 'databaseUrl'>;

const KEY_BYTES = 32;

/** The file is read when it is first needed; what cannot be one is found at the start. */
export async function refuseOddSecretFile({ secretKey, dataDir }: SecretSettings): Promise<void> {
  if (secretKey !== undefined) return;
  await isFileThere(secretKeyFile(dataDir)).catch((error: unknown) => {
    throw explainFolderError(error, dataDir);
  });
}

function secretKeyFile(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/** The box for secrets: its key is given from outside, or kept in a file that its owner alone may read. */
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
      const empty = `${path} is empty, and no webhook can be signed. Put the key back that was in it, or remove the file.`;
      if (!hasComplained) log.error(empty);
      hasComplained = true;
      throw new Error(empty);
    }
    if (await isOpenToOthers(path))
      log.warn(
        `Others than its owner may read ${path}, and sign as this service does. Run: chmod 600 ${path}`,
      );
    box = createSecretBox(key);
    return box;
  }

  async function provide(): Promise<SecretBox> {
    const known = await present();
    if (known !== undefined) return known;
    await writeKey(dataDir, path);
    log[databaseUrl === undefined ? 'info' : 'warn'](
      `The key that secrets of webhooks are sealed with is new, in ${path}. Keep it with your backups: without it no ` +
        'webhook can be signed. Several machines need the same one: give it to all of them as COMANDA_SECRET_KEY.',
    );
    return provide();
  }

  return { present, provide };
}

/** Windows has no such modes. */
async function isOpenToOthers(path: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0;
}

/** Of several processes that make the file at once, the first wins and the others read what it wrote. */
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
