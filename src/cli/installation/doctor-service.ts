import {
  type Answer,
  AuthenticationError,
  type Client,
  createClient,
  PermissionError,
  type TableState,
  UnavailableError,
} from '#sdk';
import { version } from '../../support/version.js';
import { checkedUrl } from '../lib/command.js';
import type { Settings } from '../lib/settings.js';
import { counted } from '../lib/text.js';

export interface Finding {
  readonly state: 'fine' | 'remark' | 'wrong';
  readonly what: string;
  readonly todo?: string;
}

export const fine = (what: string): Finding => ({ state: 'fine', what });
export const remark = (what: string, todo: string): Finding => ({ state: 'remark', what, todo });
export const wrong = (what: string, todo: string): Finding => ({ state: 'wrong', what, todo });

const MOST_SKEW_SECONDS = 30;

export async function examineService({ url, key, source }: Settings): Promise<Finding[]> {
  const client = createClient({ baseUrl: checkedUrl(url), apiKey: key, timeoutSeconds: 10, retries: 0 });
  let health: Answer<unknown>;
  try {
    health = await client.request({ path: '/healthz' });
  } catch (error) {
    const todo =
      source.url === 'default'
        ? 'Start it with `npm start`, or pass another address with --url or COMANDA_URL.'
        : `The address comes from the ${source.url}. Is it right, and is the service running?`;
    return [wrong(`The service: ${(error as Error).message}`, todo)];
  }
  const findings = [fine(`The service answers at ${url}`), ...examineClock(health)];
  findings.push(await examineReadiness(client), await examineVersion(client));
  return [...findings, ...(await examineKey(client, key, source.key))];
}

function examineClock({ headers }: Answer<unknown>): Finding[] {
  const there = Date.parse(headers.get('date') ?? '');
  const skew = Math.round(Math.abs(Date.now() - there) / 1000);
  const what = `The clocks of this machine and the service differ by ${skew} s`;
  return skew > MOST_SKEW_SECONDS
    ? [remark(what, 'Synchronise them with NTP: orders are filtered by time.')]
    : [];
}

async function examineReadiness(client: Client): Promise<Finding> {
  try {
    await client.request({ path: '/readyz' });
    return fine('The service is ready: its database responds and has the right schema');
  } catch (error) {
    if (error instanceof UnavailableError)
      return wrong(
        'The service is not ready: its database is unavailable or not migrated yet',
        'Wait, then check its log.',
      );
    return wrong(`The service is not ready: ${(error as Error).message}`, 'Check its log.');
  }
}

async function examineVersion(client: Client): Promise<Finding> {
  const { body } = await client.request({ path: '/openapi.json' });
  const { version: there } = (body as { info: { version: string } }).info;
  if (there === version) return fine(`The service is Comanda ${there}, the version of this command line`);
  return remark(
    `The service is Comanda ${there}, this command line is ${version}`,
    'Use the command line of the same version.',
  );
}

async function examineKey(client: Client, key: string | undefined, source: string): Promise<Finding[]> {
  if (key === undefined) return [wrong('There is no key', 'Pass --key, set COMANDA_KEY, or use --profile.')];
  try {
    const stores = await client.listStores({ limit: 1000 });
    const count = stores.length === 1000 ? 'at least 1000 stores' : counted(stores.length, 'store');
    const database = await examineDatabase(client);
    const kind = database === undefined ? 'a merchant key' : 'an operator key';
    return [fine(`The key (from the ${source}) is ${kind} and sees ${count}`), ...(database ?? [])];
  } catch (error) {
    return [whyRefused(error, `The key (from the ${source})`)];
  }
}

function whyRefused(error: unknown, key: string): Finding {
  if (error instanceof AuthenticationError)
    return wrong(
      `${key} is unknown, expired or revoked`,
      'Ask the operator for a new one: comanda keys create',
    );
  if (error instanceof PermissionError)
    return remark(`${key} works, but lacks the read permission`, 'Most commands need it.');
  return wrong(`The key could not be checked: ${(error as Error).message}`, 'Check the log of the service.');
}

/** Autovacuum starts at 2 % dead orders; at 10 % it is not keeping up. */
const MOST_DEAD_SHARE = 0.1;
const FEW_ROWS = 10_000;
const LONG_TRANSACTION_SECONDS = 3_600;
/** The server stops accepting writes at about twice this age, and by default freezes rows at a fifth of it. */
const OLD_TRANSACTIONS = 1_000_000_000;

/** Whether vacuum keeps up; undefined for a merchant's key, which may not ask. */
async function examineDatabase(client: Client): Promise<Finding[] | undefined> {
  try {
    const {
      tables,
      oldest_transaction_seconds: seconds,
      transaction_age: age,
    } = await client.describeDatabase();
    const findings = tables.flatMap(examineTable);
    if (seconds >= LONG_TRANSACTION_SECONDS)
      findings.push(
        remark(
          `A transaction has been open for ${Math.round(seconds / 60)} minutes and keeps vacuum from removing dead rows`,
          'Find it in pg_stat_activity (the oldest xact_start) and end it.',
        ),
      );
    if (age >= OLD_TRANSACTIONS)
      findings.push(
        wrong(
          `The oldest rows are ${Math.round(age / 1_000_000)} million transactions old; the database stops at about 2,000 million`,
          'Run VACUUM FREEZE in the database, and look for what holds it back: open or prepared transactions, unused replication slots.',
        ),
      );
    return findings.length > 0 ? findings : [fine('Vacuum is keeping up')];
  } catch (error) {
    if (error instanceof PermissionError) return undefined;
    throw error;
  }
}

function examineTable({ name, live_rows: live, dead_rows: dead, vacuumed_at: at }: TableState): Finding[] {
  const share = dead / (live + dead);
  if (dead <= FEW_ROWS || share <= MOST_DEAD_SHARE) return [];
  const shown = Math.round(100 * share);
  const what = `Vacuum is falling behind: ${shown} % of the rows of ${name} are dead; last vacuum: ${at ?? 'never'}`;
  return [remark(what, `Run VACUUM ANALYZE ${name} in the database, and see docs/operating.md on vacuum.`)];
}
