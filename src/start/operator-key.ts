import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../db/database.js';
import { readTextIfThere } from '../embedded/files.js';
import { adoptOperatorKey, ensureOperatorKey, newSecret } from '../operations/keys.js';
import { writePrivateFile } from './private-file.js';

/** Keeps the operator key of a bundled installation in a file that its owner alone may read. */
export async function keepOperatorKeyInFile(db: Database, dataDir: string, log: Logger): Promise<void> {
  const path = operatorKeyFile(dataDir);
  const secret = (await readSecret(path)) ?? (await writeSecret(path, await newSecret(db)));
  if (await adoptOperatorKey(db, secret)) return;
  log.warn(
    `The key in ${path} has been revoked or has expired. If another operator key works, as after a rotation, ` +
      'write that one into the file. To have a new one made at the next start, remove the file: that revokes all the others.',
  );
}

/** Where the operator key of a bundled installation is. */
export function operatorKeyFile(dataDir: string): string {
  return join(dataDir, 'operator.key');
}

/** With a database of one's own there may be no data folder: a first key is shown once, where the operator looks. */
export async function showFirstOperatorKey(db: Database): Promise<void> {
  const secret = await ensureOperatorKey(db);
  if (secret === undefined) return;
  process.stdout.write(`Operator key, shown this once: ${secret}\n`);
}

async function readSecret(path: string): Promise<string | undefined> {
  const text = (await readTextIfThere(path))?.trim();
  return text === '' ? undefined : text;
}

async function writeSecret(path: string, secret: string): Promise<string> {
  await writePrivateFile(path, `${secret}\n`);
  return secret;
}
