import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { administer } from '../harness/administer.js';
import { makeServer, type PostgresServer } from './postgres.js';

const CLI = new URL('../../dist/cli/main.js', import.meta.url).pathname;

/** The programs of a PostgreSQL that has Citus, which no distribution brings along. */
const bin = process.env['CITUS_PGBIN'];
export const hasCitus = bin !== undefined && existsSync(join(bin, 'postgres'));
if (!hasCitus)
  console.error('!!! CITUS_PGBIN names no PostgreSQL with Citus: the tests on Citus did NOT run !!!');

/** Of each table that is spread. */
export const SHARDS = 8;

export const SETTINGS = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_prepared_transactions=300',
  `citus.shard_count=${SHARDS}`,
  'citus.local_hostname=127.0.0.1',
  'log_min_messages=notice',
];

/** A node as packaging/citus.sql wants it, with the databases. */
export async function startNode(databases: readonly string[], password?: string): Promise<PostgresServer> {
  const server = await makeServer(bin ?? '', password === undefined ? {} : { password });
  server.start(SETTINGS);
  const as = { host: '127.0.0.1', port: server.port, user: 'comanda', password };
  for (const database of databases) {
    await administer({ ...as, database: 'postgres' }, `CREATE DATABASE ${database}`);
    await administer({ ...as, database }, 'CREATE EXTENSION citus');
  }
  return server;
}

export interface CitusCluster {
  /** The first one is asked, and has no shards unless it is alone. */
  readonly nodes: readonly PostgresServer[];
  url(database: string): string;
  run(database: string, text: string): Promise<void>;
  /** What the work asks of other nodes: once everything it needs is known, so the work is done twice. */
  remoteWork(work: () => Promise<unknown>): Promise<RemoteWork>;
}

export interface RemoteWork {
  readonly commands: readonly string[];
  /** Commands that are not only the beginning or the end of a transaction, nor what the clock looks for. */
  readonly tasks: number;
  /** The same command to several shards counts once. */
  readonly statements: number;
  readonly nodes: number;
}

/** So many nodes, each with the databases. */
export async function startCluster(nodes: number, databases: readonly string[]): Promise<CitusCluster> {
  const servers: PostgresServer[] = [];
  while (servers.length < nodes) servers.push(await startNode(databases));
  const [first, ...others] = servers as [PostgresServer, ...PostgresServer[]];
  const run = (database: string, text: string) =>
    administer({ host: '127.0.0.1', port: first.port, user: 'comanda', database }, text);
  for (const database of databases) {
    await run(database, `SELECT citus_set_coordinator_host('127.0.0.1', ${first.port})`);
    for (const { port } of others) await run(database, `SELECT citus_add_node('127.0.0.1', ${port})`);
    if (others.length === 0)
      await run(
        database,
        `SELECT citus_set_node_property('127.0.0.1', ${first.port}, 'shouldhaveshards', true)`,
      );
    await run(database, `ALTER DATABASE ${database} SET citus.log_remote_commands = on`);
  }
  const log = () => readFile(join(first.folder, 'log'), 'utf8');
  return {
    nodes: servers,
    url: (database) => `postgres://comanda@127.0.0.1:${first.port}/${database}`,
    run,
    remoteWork: async (work) => {
      await work();
      await delay(300);
      const before = (await log()).length;
      await work();
      await delay(300);
      return readRemoteWork((await log()).slice(before));
    },
  };
}

const ONLY_TRANSACTION =
  /^(BEGIN|COMMIT|ROLLBACK|PREPARE TRANSACTION|SET |SAVEPOINT|RELEASE|SELECT assign_distributed)/;

/** Looks for due orders, and for counts that menus do not show yet: every two seconds, by one process. */
const BY_THE_CLOCK = /attention_at OPERATOR|remaining IS NOT NULL\) AND/;

function readRemoteWork(log: string): RemoteWork {
  const commands = log
    .split(/NOTICE: {2}issuing /)
    .slice(1)
    .filter((command) => !ONLY_TRANSACTION.test(command) && !BY_THE_CLOCK.test(command));
  const [statements, nodes] = [new Set<string>(), new Set<string>()];
  for (const command of commands) {
    const [text = '', place = ''] = command.split(/^.*DETAIL: {2}on server /m);
    statements.add(text.replaceAll(/_\d{6,}\b/g, ''));
    nodes.add(/^\S+/.exec(place)?.[0] ?? '');
  }
  return { commands, tasks: commands.length, statements: statements.size, nodes: nodes.size };
}

/** What `comanda migrate` says. */
export function migrate(DATABASE_URL: string, ...flags: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, 'migrate', ...flags], {
    env: { PATH: process.env['PATH'], DATABASE_URL },
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`;
}
