import { readFileSync } from 'node:fs';
import { resolve, isAbsolute } from 'node:path';
import { parseDatabaseAddress } from './postgres/address.js';
import { StartupError } from './support/errors.js';
import { isLoopback, parseSubnets, type Subnet } from './support/subnet.js';
import { LEAST_BYTES, LIMITS, type LimitKind, type Limits } from './support/limits.js';
import { nearestTo } from './support/did-you-mean.js';
import { DAY_SECONDS } from './support/datetime.js';

/** The configuration from the environment, read once, checked and frozen. */
export type Config = ReturnType<typeof loadConfig>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

type Environment = Readonly<Record<string, string | undefined>>;

const POSTGRES_URL =
  'a postgres:// or postgresql:// address (in the password write / as %2F, # as %23, ? as %3F and @ as %40); ' +
  'target_session_attrs, if given, must be any, read-write or primary';
const PREFIX = 'COMANDA_';
/** Settings of src/cli/lib/settings.ts, which may be in the environment of the service, as after `. data/demo.env`. */
const OF_THE_COMMAND_LINE = ['COMANDA_URL', 'COMANDA_KEY', 'COMANDA_PROFILE'];
// Timers count milliseconds in 31 bits; a day is far below that.
const DRAIN_SECONDS = 5;
const SUBNETS = 'addresses or ranges such as 10.0.0.0/8 or fd00::/8, separated by commas';
const LOOPBACK: Subnet[] = [
  { address: '127.0.0.0', prefix: 8 },
  { address: '::1', prefix: 128 },
];

export function loadConfig(environment: Environment = process.env) {
  const refusals: string[] = [];
  const known = new Set(OF_THE_COMMAND_LINE);
  const read = reader(environment, refusals, known);

  const databaseUrl = read('DATABASE_URL', undefined, POSTGRES_URL, postgresUrl);
  const host = read('HOST', '127.0.0.1', 'a host name or address', hostName);
  const drainSeconds = read(
    'COMANDA_DRAIN_SECONDS',
    undefined,
    'a number of seconds from 0 to 300',
    wholeNumber(0, 300),
  );
  const settings = {
    host,
    port: read('PORT', 8080, 'a port from 0 to 65535', wholeNumber(0, 65_535)),
    databaseUrl,
    /** Hosts, ports and name of that database, for display. */
    databasePlace: databaseUrl === undefined ? undefined : parseDatabaseAddress(databaseUrl)?.place,
    /** The number of this installation among many; each has its own store numbers and menu ids. */
    cell: read('COMANDA_CELL', 0, 'a number from 0 to 4095', wholeNumber(0, 4_095)),
    dataDir: resolve(read('COMANDA_DATA_DIR', './data', 'a folder', String)),
    /** Folder of the host's own PostgreSQL programs, used instead of the bundled ones. */
    postgresBin: read('COMANDA_POSTGRES_BIN', undefined, 'an absolute path of a folder', absolutePath),
    operatorKey: readSecret(read, 'COMANDA_OPERATOR_KEY'),
    /** Encrypts secrets that must be read again; undefined: a key file in the data folder. */
    secretKey: readSecret(read, 'COMANDA_SECRET_KEY'),
    /** Private addresses that webhooks may be sent to. */
    webhookAllow: read('COMANDA_WEBHOOK_ALLOW', [], SUBNETS, parseSubnets),
    /** Proxies whose X-Forwarded-For is believed. */
    trustedProxies: read('COMANDA_TRUSTED_PROXIES', LOOPBACK, SUBNETS, parseSubnets),
    /** Where people reach the service, without a slash at the end. */
    publicUrl: read('COMANDA_PUBLIC_URL', undefined, 'an address such as https://orders.example', publicUrl),
    /** Default: a new installation loads the demo if started in a terminal. */
    demo: read('COMANDA_DEMO', 'in a terminal', 'on or off', oneOf(['on', 'off'])),
    logLevel: read('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, oneOf(LOG_LEVELS)),
    /** Default: text in a terminal, JSON elsewhere. */
    logFormat: read('COMANDA_LOG_FORMAT', undefined, 'text or json', oneOf(['text', 'json'])),
    poolSize: read('COMANDA_DATABASE_POOL', 10, 'a number of connections from 1 to 500', wholeNumber(1, 500)),
    eventDays: read('COMANDA_EVENT_DAYS', 30, 'a number of days from 1 to 3650', wholeNumber(1, 3650)),
    auditDays: read('COMANDA_AUDIT_DAYS', 400, 'a number of days from 1 to 3650', wholeNumber(1, 3650)),
    /** How long final orders are kept, and their customers, in stores that do not say; undefined: permanently. */
    orderDays: readDays(read, 'COMANDA_ORDER_DAYS'),
    customerDays: readDays(read, 'COMANDA_CUSTOMER_DAYS'),
    /** How long the service keeps serving after it has become unready. */
    drainSeconds: drainSeconds ?? DRAIN_SECONDS,
    /** Whether it does so only if requests have come through a proxy. Other local clients need no drain. */
    drainsForProxy: drainSeconds === undefined && isLoopback(host),
    metricsToken: read('COMANDA_METRICS_TOKEN', undefined, SECRET_TEXT, secretText, 'hidden'),
    corsOrigins: read(
      'COMANDA_CORS_ORIGINS',
      [],
      'origins such as https://till.example, separated by commas',
      origins,
    ),
    logsAccess: read('COMANDA_ACCESS_LOG', 'off', 'on or off', oneOf(['on', 'off'])) === 'on',
    /** Whether assistants may connect, with the rights of a key or as guests. */
    servesAgents: read('COMANDA_MCP', 'on', 'on or off', oneOf(['on', 'off'])) === 'on',
    limits: readLimits(read),
  };

  if (settings.operatorKey === undefined && !isLoopback(settings.host)) {
    refusals.push(
      `HOST is ${JSON.stringify(settings.host)}, which other machines can reach, but there is no operator key. ` +
        'Set COMANDA_OPERATOR_KEY or COMANDA_OPERATOR_KEY_FILE, or bind to 127.0.0.1.',
    );
  }
  if (refusals.length > 0) throw new StartupError(refusals.join('\n'));
  /** Warnings for the operator, one sentence each. */
  const warnings = nameUnknown(environment, known);
  return Object.freeze({ ...settings, warnings });
}

/** Without this, a misspelt setting would silently have no effect. */
function nameUnknown(environment: Environment, known: ReadonlySet<string>): string[] {
  const unknown = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !known.has(name));
  const endings = [...known]
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length));
  return unknown.sort().map((name) => {
    const nearest = nearestTo(name.slice(PREFIX.length), endings);
    const hint = nearest === undefined ? '' : ` Did you mean ${PREFIX}${nearest}?`;
    return `Unknown setting ${name}.${hint}`;
  });
}

/** What each kind of limit may be, in words, and its parser. */
const LIMIT_KINDS: Readonly<
  Record<LimitKind, readonly [string, (text: string) => number | 'off' | undefined]>
> = {
  count: ['a whole number of at least 1', wholeNumber(1, 2 ** 31)],
  seconds: [`a number of seconds from 1 to ${DAY_SECONDS}`, wholeNumber(1, DAY_SECONDS)],
  bytes: [`a number of bytes of at least ${LEAST_BYTES}`, wholeNumber(LEAST_BYTES, 2 ** 40)],
  levels: ['a number of levels from 8 to 512', wholeNumber(8, 512)],
  rate: [
    'off, or at least 1 request per second',
    (text) => (text === 'off' ? 'off' : wholeNumber(1, 1_000_000)(text)),
  ],
};

function readLimits(read: Read): Limits {
  const limits = Object.fromEntries(
    Object.entries(LIMITS).map(([name, [variable, kind, usual]]) => [
      name,
      read(variable, usual, ...LIMIT_KINDS[kind]),
    ]),
  ) as Limits;
  return Object.freeze(
    limits.requestsPerSecond === 'off' ? { ...limits, menuPostsPerMinute: 'off' as const } : limits,
  );
}

function readDays(read: Read, name: string): number | undefined {
  return read(name, undefined, 'a number of days from 1 to 36500', wholeNumber(1, 36_500));
}

const SECRET_TEXT = '32 to 255 printable ASCII characters, no space at either end';

/** Read from the variable itself, or from the file that another variable names. */
function readSecret(read: Read, name: string): string | undefined {
  const inline = read(name, undefined, SECRET_TEXT, secretText, 'hidden');
  const fromFile = read(`${name}_FILE`, undefined, `a readable file that holds ${SECRET_TEXT}`, (path) =>
    secretText(readText(path) ?? ''),
  );
  return inline ?? fromFile;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

type Read = <T, const Fallback>(
  name: string,
  fallback: Fallback,
  allowed: string,
  parse: (text: string) => T | undefined,
  value?: 'shown' | 'hidden',
) => T | Fallback;

/** Collects every wrong value, so that one start shows them all, and every name. An empty variable counts as not set. */
function reader(environment: Environment, refusals: string[], known: Set<string>): Read {
  return (name, fallback, allowed, parse, value = 'shown') => {
    known.add(name);
    const text = environment[name];
    if (text === undefined || text === '') return fallback;
    const parsed = parse(text);
    if (parsed !== undefined) return parsed;
    const found =
      value === 'shown' ? JSON.stringify(withoutPassword(text)) : `a text of ${text.length} characters`;
    refusals.push(`${name} is ${found}; expected ${allowed}.`);
    return fallback;
  };
}

/** Hides everything before the last @, because an unescaped password may contain any character. */
function withoutPassword(text: string): string {
  return text.replace(/^([a-z]+:\/\/)?.*@/is, '$1***@').replace(/(password=)[^&]*/i, '$1***');
}

// Parsers return undefined for an invalid value.

function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    if (!/^\d+$/.test(text)) return undefined;
    const value = Number(text);
    return value >= least && value <= most ? value : undefined;
  };
}

function oneOf<const T extends readonly string[]>(allowed: T): (text: string) => T[number] | undefined {
  return (text) => allowed.find((value) => value === text.toLowerCase());
}

function textThat(isAllowed: (text: string) => boolean): (text: string) => string | undefined {
  return (text) => (isAllowed(text) ? text : undefined);
}

const secretText = textThat((text) => /^[\x21-\x7e][\x20-\x7e]{30,253}[\x21-\x7e]$/.test(text));
const absolutePath = textThat(isAbsolute);
const hostName = textThat((text) => /^[^\s/]+$/.test(text));
const postgresUrl = textThat((text) => parseDatabaseAddress(text) !== undefined);

/** Origins as browsers send them: scheme, host and port only. */
function origins(text: string): string[] | undefined {
  const given = text.split(',').map((origin) => origin.trim());
  return given.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)
    ? given
    : undefined;
}

/** The service is at the root of its host: its pages and links have no prefix. */
function publicUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined;
}
