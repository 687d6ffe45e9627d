import {
  AuthenticationError,
  createClient,
  PermissionError,
  UnavailableError,
  type Answer,
  type Client,
} from '#sdk';
import { version } from '../../version.js';
import { checkedUrl } from '../command-context.js';
import type { Settings } from '../settings.js';
import { examineDatabase } from './examine-database.js';
import { fine, remark, wrong, type Finding } from './finding.js';

const MOST_SKEW_SECONDS = 30;

/** Whether the service can be reached, is ready, and knows the key. */
export async function examineService({ url, key, source }: Settings): Promise<Finding[]> {
  const client = createClient({ baseUrl: checkedUrl(url), apiKey: key, timeoutSeconds: 10, retries: 0 });
  let health: Answer<unknown>;
  try {
    health = await client.request({ path: '/healthz' });
  } catch (error) {
    const todo =
      source.url === 'default'
        ? 'Start it with `npm start`, or name another with --url or COMANDA_URL.'
        : `The address came from the ${source.url}. Is it right, and does the service run?`;
    return [wrong(`The service: ${(error as Error).message}`, todo)];
  }
  const findings = [fine(`The service answers at ${url}`), ...examineClock(health)];
  findings.push(await examineReadiness(client), await examineVersion(client));
  return [...findings, ...(await examineKey(client, key, source.key))];
}

function examineClock({ headers }: Answer<unknown>): Finding[] {
  const there = Date.parse(headers.get('date') ?? '');
  const skew = Math.round(Math.abs(Date.now() - there) / 1000);
  return skew > MOST_SKEW_SECONDS
    ? [
        remark(
          `The clocks here and there differ by ${skew} s`,
          'Set them by NTP: orders are filtered by time.',
        ),
      ]
    : [];
}

async function examineReadiness(client: Client): Promise<Finding> {
  try {
    await client.request({ path: '/readyz' });
    return fine('It is ready: its database answers and has the right schema');
  } catch (error) {
    if (error instanceof UnavailableError)
      return wrong(
        'It is not ready: its database is away, or not migrated yet',
        'Wait, then look at its log.',
      );
    return wrong(`It is not ready: ${(error as Error).message}`, 'Look at its log.');
  }
}

async function examineVersion(client: Client): Promise<Finding> {
  const { body } = await client.request({ path: '/openapi.json' });
  const { version: there } = (body as { info: { version: string } }).info;
  if (there === version) return fine(`It is Comanda ${there}, as this is`);
  return remark(`It is Comanda ${there}; this is ${version}`, 'Use the command line of the same version.');
}

async function examineKey(client: Client, key: string | undefined, source: string): Promise<Finding[]> {
  if (key === undefined) return [wrong('There is no key', 'Give --key, set COMANDA_KEY, or use --profile.')];
  try {
    const stores = await client.listStores({ limit: 1000 });
    const count =
      stores.length === 1000
        ? '1000 stores or more'
        : `${stores.length} ${stores.length === 1 ? 'store' : 'stores'}`;
    return [
      fine(`The key (from the ${source}) is ${await kindOf(client)} and sees ${count}`),
      ...(await examineDatabase(client)),
    ];
  } catch (error) {
    if (error instanceof AuthenticationError)
      return [
        wrong(
          `The key (from the ${source}) is unknown, expired or revoked`,
          'Ask the operator for a new one: comanda keys create',
        ),
      ];
    if (error instanceof PermissionError)
      return [
        remark(
          `The key (from the ${source}) works, but may not read`,
          'Most commands need the permission read.',
        ),
      ];
    return [
      wrong(`The key could not be tried: ${(error as Error).message}`, 'Look at the log of the service.'),
    ];
  }
}

async function kindOf(client: Client): Promise<string> {
  try {
    await client.listKeys({ limit: 1 });
    return 'an operator key';
  } catch (error) {
    if (error instanceof PermissionError) return 'a merchant key';
    throw error;
  }
}
