import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Database } from '../postgres/database.js';
import { isMisfit } from '../postgres/errors.js';
import {
  createNewerSchemaCheck,
  createReadinessCheck,
  readSchemaState,
} from '../postgres/schema-migrations.js';
import { DatabaseMisconfigured, DatabaseUnavailable, DiskFull } from '../support/errors.js';
import { requirePermission } from '../access/principal.js';
import { json } from './response.js';
import { createComparison, type Authenticate } from '../access/authentication.js';
import type { Responder } from './router.js';

/** Whether the database is ready; until then requests get 503. */
export interface Readiness {
  isReady: boolean;
}

export interface Health {
  readonly db: Database;
  readonly authenticate: Authenticate;
  readonly readiness: Readonly<Readiness>;
  /** Aborts when the service is about to end. */
  readonly closing: AbortSignal;
  readonly databaseWatch: ReturnType<typeof watchDatabase>;
  readonly metrics: Registry;
  /** Opens the metrics beside an operator key: `Authorization: Bearer …`, which is what Prometheus sends. */
  readonly metricsToken: string | undefined;
}

/** Health checks and metrics of the process; only the metrics need a key. */
export function healthResponders(health: Health): Responder[] {
  const isDatabaseReady = createReadinessCheck(health.db);
  const isToken =
    health.metricsToken === undefined ? () => false : createComparison(`Bearer ${health.metricsToken}`);
  return [
    { method: 'GET', path: '/healthz', respond: () => json({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      respond: async () => {
        const problem = await health.databaseWatch.currentProblem();
        if (problem !== undefined) throw problem;
        const isServing = health.readiness.isReady && !health.closing.aborted;
        if (!isServing || !(await isDatabaseReady())) throw new DatabaseUnavailable();
        return json({ status: 'ready' });
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      respond: async ({ request }) => {
        if (!isToken(request.headers.authorization)) {
          const { principal } = await health.authenticate(request, undefined, {});
          requirePermission(principal, 'operator');
        }
        const type = ['content-type', 'text/plain; version=0.0.4; charset=utf-8'];
        return { status: 200, headers: type, body: await health.metrics.metrics() };
      },
    },
  ];
}

/** A problem that only the operator can fix. */
type DatabaseProblem = DatabaseMisconfigured | DiskFull;

/**
 * Most problems are remembered for this long after the last request that met them. A schema that does not fit stays so until it
 * changes, also where the balancer, told so, sends no more requests.
 */
const REMEMBERED_MS = 15_000;

interface Remembered {
  readonly problem: DatabaseProblem;
  readonly until: number;
  /** The schema that does not fit; undefined where something else is wrong. */
  readonly schema: string | undefined;
}

/** Remembers what is wrong with the database and logs it once, with its remedy, instead of once per request. */
export function watchDatabase(db: Database, log: Logger, readiness: Readonly<Readiness>) {
  const findNewerSchema = createNewerSchemaCheck(db);
  let last: Remembered | undefined;
  const readKnown = (problem: DatabaseProblem) =>
    last !== undefined && performance.now() < last.until && messageFor(last.problem) === messageFor(problem)
      ? last
      : undefined;
  return {
    /** Records the error of a request, and returns the one to send to the client. */
    explainError: async (error: unknown): Promise<unknown> => {
      // Until the migrations have ended, a table that is missing is no problem.
      if (!readiness.isReady && isMisfit(error)) return new DatabaseUnavailable();
      const newer = isMisfit(error) ? await findNewerSchema(error).catch(() => undefined) : undefined;
      const problem = newer ?? error;
      // The readiness check throws the remembered problem itself, which is no new evidence.
      if (
        problem === last?.problem ||
        !(problem instanceof DiskFull || problem instanceof DatabaseMisconfigured)
      )
        return problem;
      const schema =
        isMisfit(error) && readKnown(problem) === undefined
          ? await readSchemaState(db).catch(() => undefined)
          : undefined;
      const known = readKnown(problem);
      if (known === undefined) log.error(messageFor(problem));
      last = { problem, until: performance.now() + REMEMBERED_MS, schema: schema ?? known?.schema };
      return problem;
    },
    /** The database problem that requests have met and that is not over, as far as is known. */
    currentProblem: async (): Promise<DatabaseProblem | undefined> => {
      const remembered = last;
      if (remembered === undefined) return undefined;
      const { problem, until, schema } = remembered;
      const isOver =
        schema === undefined ? performance.now() >= until : schema !== (await readSchemaState(db));
      if (!isOver) return problem;
      if (remembered === last) last = undefined;
      return undefined;
    },
  };
}

function messageFor(problem: DatabaseProblem): string {
  return problem instanceof DatabaseMisconfigured
    ? `All requests get 503. ${problem.remedy}`
    : 'The database disk is full: requests that write get 503. Free some space.';
}

/** Counts what this process does beside answering: pool use, event-loop lag, cache bytes. */
export function observeService(registry: Registry, db: Database, cacheBytes: () => number): void {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'comanda_database_connections',
    help: 'Pool connections by state; waiting counts requests that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = db.usage();
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  const collect = function (this: Gauge) {
    this.set(cacheBytes());
  };
  new Gauge({ name: 'comanda_menu_cache_bytes', help: 'Rendered menus held in memory', registers, collect });
}

export function observeFreeSpace(registry: Registry, folder: string): void {
  new Gauge({
    name: 'comanda_data_free_bytes',
    help: 'Free space on the disk of the data folder',
    registers: [registry],
    async collect() {
      const { bavail, bsize } = await statfs(folder);
      this.set(bavail * bsize);
    },
  });
}
