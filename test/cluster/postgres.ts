import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findFreePort } from '../harness/free-port.js';

const DEBIAN = '/usr/lib/postgresql/15/bin';

/** The folder of a host's PostgreSQL; a test that cannot have it says so, loudly. */
export function findPostgres(): string | undefined {
  if (existsSync(join(DEBIAN, 'postgres'))) return DEBIAN;
  console.error('!!! PostgreSQL 15 is not to be had on this machine: its tests did NOT run !!!');
  return undefined;
}

/** A server of the host's own PostgreSQL that trusts whoever asks on the loopback. */
export interface PostgresServer {
  readonly port: number;
  readonly folder: string;
  start(settings?: readonly string[]): void;
  /** `immediate` is what a crash leaves behind. */
  stop(mode: 'fast' | 'immediate'): void;
  promote(): void;
  /** Its processes stop to do anything, or go on: a machine that hangs. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

interface ServerOptions {
  /** The one that it follows. */
  readonly leader?: PostgresServer;
  /** What whoever asks must know, other servers too. */
  readonly password?: string;
}

/** A new server, stopped and removed with the test. */
export async function makeServer(
  bin: string,
  { leader, password }: ServerOptions = {},
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'comanda-cluster-'));
  const port = await findFreePort();
  const isRoot = process.getuid?.() === 0;
  await chmod(folder, 0o777);
  const run = (program: string, ...args: string[]) => {
    const command = [join(bin, program), ...args];
    const asServer = isRoot ? ['--reuid=postgres', '--regid=postgres', '--clear-groups', ...command] : [];
    const [first = '', ...rest] = isRoot ? ['setpriv', ...asServer] : command;
    const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: folder };
    const { status, stderr, stdout } = spawnSync(first, rest, { cwd: '/', env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program}: ${stderr}${stdout}`);
  };
  const data = join(folder, 'data');
  const control = (...args: string[]) => run('pg_ctl', '-D', data, '-w', ...args);
  const passwordFile = join(folder, 'password');
  if (password !== undefined) await writeFile(passwordFile, password);
  const authentication =
    password === undefined ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  if (leader === undefined)
    run('initdb', '-D', data, '-U', 'comanda', ...authentication, '-E', 'UTF8', '--no-sync');
  else
    run(
      'pg_basebackup',
      '-D',
      data,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '--no-sync',
      '-d',
      `host=127.0.0.1 port=${leader.port} user=comanda`,
    );

  const signal = async (name: NodeJS.Signals) => {
    const [first = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', first], { encoding: 'utf8' });
    for (const id of [first, ...stdout.split('\n').filter((line) => line.trim() !== '')])
      process.kill(Number(id), name);
  };
  const server: PostgresServer = {
    port,
    folder,
    start: (settings = []) => {
      const own = [
        `port=${port}`,
        'listen_addresses=127.0.0.1',
        `unix_socket_directories=${folder}`,
        'max_connections=200',
      ];
      const options = [...own, ...settings].map((setting) => `-c ${setting}`).join(' ');
      control('-l', join(folder, 'log'), '-o', options, 'start');
    },
    stop: (mode) => control('-m', mode, 'stop'),
    promote: () => control('promote'),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  };
  onTestFinished(async () => {
    await server.thaw().catch(() => undefined);
    try {
      server.stop('immediate');
    } catch {
      // The test has stopped it already.
    }
    await rm(folder, { recursive: true, force: true });
  });
  return server;
}
