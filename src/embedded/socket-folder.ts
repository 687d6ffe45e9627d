import { mkdtemp, open, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SocketFolder {
  /** A path to the folder that is short enough for a socket in it. */
  readonly path: string;
  close(): Promise<void>;
}

// The shortest limit of the supported systems is 104 bytes with the final NUL; the name is `/.s.PGSQL.5432`.
const LONGEST_FOLDER = 103 - 14;

/**
 * The system cuts off the path of a socket at about a hundred bytes, so a longer folder gets a short second name: on
 * Linux through a handle this process keeps open, which no cleaning of temporary files can take away.
 */
export async function reachSocketFolder(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Promise<SocketFolder> {
  if (Buffer.byteLength(folder) <= LONGEST_FOLDER) return { path: folder, close: () => Promise.resolve() };
  if (platform === 'linux') {
    const handle = await open(folder, 'r');
    return { path: `/proc/${process.pid}/fd/${handle.fd}`, close: () => handle.close() };
  }
  const parent = await mkdtemp(join(tmpdir(), 'comanda-'));
  const path = join(parent, 'pg');
  await symlink(folder, path);
  return { path, close: () => rm(parent, { recursive: true, force: true }) };
}
