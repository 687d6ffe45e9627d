import pg from 'pg';

/** Requests read and write a few rows each; bulk work reads or writes whole tables, for which the server plans best by itself. */
export type Workload = 'requests' | 'bulk';

export const STATEMENT_MS = 30_000;
export const IDLE_IN_TRANSACTION_MS = 60_000;

interface SessionOptions {
  readonly mustWrite: boolean;
  readonly statementTimeoutMs: number;
  readonly workload: Workload;
}

/** Set once the connection stands: a pooler in between refuses settings that come with its opening. */
export function sessionSettings({ mustWrite, statementTimeoutMs, workload }: SessionOptions): string {
  const limits = `SET statement_timeout = ${statementTimeoutMs}; SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;
  return [
    ...(mustWrite ? [REFUSE_FOLLOWER] : []),
    limits,
    ...(workload === 'bulk' ? [] : [PLANS_FOR_REQUESTS]),
  ].join(';');
}

/** Fails with SQLSTATE 25006, as every write would, on a server that takes none. */
const REFUSE_FOLLOWER = `
  DO $$ BEGIN
    IF current_setting('transaction_read_only')::boolean THEN
      RAISE read_only_sql_transaction USING MESSAGE = 'the server takes no writes';
    END IF;
  END $$`;

/**
 * Every statement has one plan, made once, and it must serve a store of a million orders as well as the empty table it may
 * have been made on. Planning anew for each execution takes longer than most of them run, and the planner would do so
 * wherever a limit or a range is a parameter. Citus must know the store to find its node, and cannot with such a plan.
 */
const PLANS_FOR_REQUESTS = `
  SELECT set_config('plan_cache_mode', CASE WHEN EXISTS (SELECT FROM pg_extension e WHERE e.extname = 'citus')
    THEN 'auto' ELSE 'force_generic_plan' END, false);
  SET enable_seqscan = off;
  SET random_page_cost = 1.1;
  SET max_parallel_workers_per_gather = 0;
  SET jit = off`;

/** Every bigint of the schema fits a double; without this pg hands them out as text. */
export function createTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return types;
}
