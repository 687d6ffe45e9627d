import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartRefused } from '../domain/errors.js';
import { ifExists } from './files.js';
import type { RunAs } from './run-program.js';

// PostgreSQL refuses to run as root. An id of its own keeps the data apart from whatever else runs as "nobody"; it lies
// in a range that neither distributions nor systemd give out, and below 65536, where every container can map it.
const SERVER_ID = 60_888;

/** Whom PostgreSQL runs as: the service's own user, or, for root, an unprivileged one that need not exist. */
export async function chooseServerUser(databaseFolder: string): Promise<RunAs | undefined> {
  const own = process.getuid?.() ?? 0;
  const folder = await ifExists(stat(databaseFolder));
  if (own === 0) {
    return folder === undefined || folder.uid === 0
      ? { uid: SERVER_ID, gid: SERVER_ID }
      : { uid: folder.uid, gid: folder.gid === 0 ? folder.uid : folder.gid };
  }
  if (folder !== undefined && folder.uid !== own) {
    throw new StartRefused(
      `The database in ${databaseFolder} belongs to user ${folder.uid}, but the service runs as user ${own}: ` +
        `start it as root or as that user, or change the owner with \`chown -R ${own} ${dirname(databaseFolder)}\`.`,
    );
  }
  return undefined;
}

/**
 * initdb looks its own user up and gives up on one without a name, so for root it runs as a user that every system
 * knows; the files change hands afterwards.
 */
export async function chooseInitUser(serverUser: RunAs | undefined): Promise<RunAs | undefined> {
  if (serverUser === undefined) return undefined;
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  const chosen =
    users.find((user) => user.name === 'nobody') ?? users.find((user) => user.name === 'daemon') ?? users[0];
  if (chosen === undefined) {
    throw new StartRefused(
      'The bundled PostgreSQL cannot be initialised by root alone and /etc/passwd names no other user: ' +
        'add one (for example "nobody"), start the service as an ordinary user, or set DATABASE_URL.',
    );
  }
  return { uid: chosen.uid, gid: chosen.gid };
}

function parsePasswd(text: string): { name: string; uid: number; gid: number }[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    const user = { name: name ?? '', uid: Number(uid), gid: Number(gid) };
    return isOrdinaryId(user.uid) && isOrdinaryId(user.gid) ? [user] : [];
  });
}

function isOrdinaryId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id < 2 ** 31;
}
