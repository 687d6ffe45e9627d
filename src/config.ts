import { readFileSync } from 'node:fs';
import { resolve, isAbsolute } from 'node:path';
import { parseDatabaseAddress } from './postgres/address.js';
import { StartupError } from './support/errors.js';
import { isLoopback, parseSubnets, type Subnet } from './support/subnet.js';
import { DEFAULT_LIMITS, LEAST_BYTES, type Limits } from './support/limits.js';
import { nearestTo } from './support/did-you-mean.js';

/** The configuration from the environment, read once, checked and frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string | undefined;
  /** Hosts, ports and name of that database, for display. */
  readonly databasePlace: string | undefined;
  /** The number of this installation among many; each has its own store numbers and menu ids. */
  readonly cell: number;
  readonly dataDir: string;
  /** Folder of the host's own PostgreSQL programs, used instead of the bundled ones. */
  readonly postgresBin: string | undefined;
  readonly operatorKey: string | undefined;
  /** Encrypts secrets that must be read again; undefined: a key file in the data folder. */
  readonly secretKey: string | undefined;
  /** Private addresses that webhooks may be sent to. */
  readonly webhookAllow: readonly Subnet[];
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly Subnet[];
  /** Where people reach the service, without a slash at the end. */
  readonly publicUrl: string | undefined;
  /** Default: a new installation loads the demo if started in a terminal. */
  readonly demo: 'on' | 'off' | 'in a terminal';
  readonly logLevel: LogLevel;
  /** Default: text in a terminal, JSON elsewhere. */
  readonly logFormat: 'text' | 'json' | undefined;
  readonly poolSize: number;
  /** How long events are kept. */
  readonly eventDays: number;
  readonly auditDays: number;
  /** How long final orders are kept, and their customers, in stores that do not say; undefined: for ever. */
  readonly orderDays: number | undefined;
  readonly customerDays: number | undefined;
  /** How long the service keeps serving after it has become unready. */
  readonly drainSeconds: number;
  /** Whether it does so only if requests have come through a proxy. Other local clients need no drain. */
  readonly drainsForProxy: boolean;
  readonly metricsToken: string | undefined;
  /** A separate listener for metrics, without a key. */
  readonly metricsListener: { readonly host: string; readonly port: number } | undefined;
  readonly corsOrigins: readonly string[];
  readonly logsAccess: boolean;
  /** Whether assistants may connect, with the rights of a key or as guests. */
  readonly servesAgents: boolean;
  readonly limits: Limits;
  /** Warnings for the operator, one sentence each. */
  readonly warnings: readonly string[];
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

const POSTGRES_URL =
  'a postgres:// or postgresql:// address (in the password write / as %2F, # as %23, ? as %3F and @ as %40); ' +
  'target_session_attrs, if given, must be any, read-write or primary';
const PREFIX = 'COMANDA_';
/** Settings of src/cli/lib/settings.ts, which may be in the environment of the service, as after `. data/demo.env`. */
const OF_THE_COMMAND_LINE = ['COMANDA_URL', 'COMANDA_KEY', 'COMANDA_PROFILE'];
// Timers count milliseconds in 31 bits; a day is far below that.
const DAY_SECONDS = 86_400;
const DRAIN_SECONDS = 5;
const SUBNETS = 'addresses or ranges such as 10.0.0.0/8 or fd00::/8, separated by commas';
const LOOPBACK: Subnet[] = [
  { address: '127.0.0.0', prefix: 8 },
  { address: '::1', prefix: 128 },
];

export function loadConfig(environment: Environment = process.env): Config {
  const refusals: string[] = [];
  const known = new Set(OF_THE_COMMAND_LINE);
  const read = reader(environment, refusals, known);

  const databaseUrl = read('DATABASE_URL', undefined, POSTGRES_URL, postgresUrl);
  const host = read('HOST', '127.0.0.1', 'a host name or address', hostName);
  const drainSeconds = read<number | undefined>(
    'COMANDA_DRAIN_SECONDS',
    undefined,
    'a number of seconds from 0 to 300',
    wholeNumber(0, 300),
  );
  const settings = {
    host,
    port: read('PORT', 8080, 'a port from 0 to 65535', wholeNumber(0, 65_535)),
    databaseUrl,
    databasePlace: databaseUrl === undefined ? undefined : parseDatabaseAddress(databaseUrl)?.place,
    cell: read('COMANDA_CELL', 0, 'a number from 0 to 4095', wholeNumber(0, 4_095)),
    dataDir: resolve(read('COMANDA_DATA_DIR', './data', 'a folder', (text) => text)),
    postgresBin: read('COMANDA_POSTGRES_BIN', undefined, 'an absolute path of a folder', absolutePath),
    operatorKey: readSecret(read, 'COMANDA_OPERATOR_KEY'),
    secretKey: readSecret(read, 'COMANDA_SECRET_KEY'),
    webhookAllow: read('COMANDA_WEBHOOK_ALLOW', [], SUBNETS, parseSubnets),
    trustedProxies: read('COMANDA_TRUSTED_PROXIES', LOOPBACK, SUBNETS, parseSubnets),
    publicUrl: read('COMANDA_PUBLIC_URL', undefined, 'an address such as https://orders.example', publicUrl),
    demo: read<Config['demo']>('COMANDA_DEMO', 'in a terminal', 'on or off', oneOf(['on', 'off'])),
    logLevel: read('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, oneOf(LOG_LEVELS)),
    logFormat: read<Config['logFormat']>(
      'COMANDA_LOG_FORMAT',
      undefined,
      'text or json',
      oneOf(['text', 'json']),
    ),
    poolSize: read('COMANDA_DATABASE_POOL', 10, 'a number of connections from 1 to 500', wholeNumber(1, 500)),
    eventDays: read('COMANDA_EVENT_DAYS', 30, 'a number of days from 1 to 3650', wholeNumber(1, 3650)),
    auditDays: read('COMANDA_AUDIT_DAYS', 400, 'a number of days from 1 to 3650', wholeNumber(1, 3650)),
    orderDays: readDays(read, 'COMANDA_ORDER_DAYS'),
    customerDays: readDays(read, 'COMANDA_CUSTOMER_DAYS'),
    drainSeconds: drainSeconds ?? DRAIN_SECONDS,
    drainsForProxy: drainSeconds === undefined && isLoopback(host),
    metricsToken: read('COMANDA_METRICS_TOKEN', undefined, SECRET_TEXT, secretText, 'hidden'),
    metricsListener: readMetricsListener(read),
    corsOrigins: read(
      'COMANDA_CORS_ORIGINS',
      [],
      'origins such as https://till.example, separated by commas',
      origins,
    ),
    logsAccess: read('COMANDA_ACCESS_LOG', 'off', 'on or off', oneOf(['on', 'off'])) === 'on',
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
  return Object.freeze({ ...settings, warnings: nameUnknown(environment, known) });
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

function readLimits(read: Read): Limits {
  const usual = DEFAULT_LIMITS;
  const count = (name: string, fallback: number) =>
    read(name, fallback, 'a whole number of at least 1', wholeNumber(1, 2 ** 31));
  const seconds = (name: string, fallback: number) =>
    read(name, fallback, `a number of seconds from 1 to ${DAY_SECONDS}`, wholeNumber(1, DAY_SECONDS));
  const bytes = (name: string, fallback: number) =>
    read(name, fallback, `a number of bytes of at least ${LEAST_BYTES}`, wholeNumber(LEAST_BYTES, 2 ** 40));
  const requestsPerSecond = read<number | 'off'>(
    'COMANDA_RATE_LIMIT',
    usual.requestsPerSecond,
    'off, or at least 1 request per second',
    (text) => (text === 'off' ? 'off' : wholeNumber(1, 1_000_000)(text)),
  );
  const menuPostsPerMinute = count('COMANDA_MENU_POSTS_PER_MINUTE', usual.menuPostsPerMinute);
  const levels = wholeNumber(8, 512);
  return Object.freeze({
    menuBytes: bytes('COMANDA_MAX_BODY_BYTES', usual.menuBytes),
    jsonBytes: bytes('COMANDA_MAX_JSON_BYTES', usual.jsonBytes),
    jsonValues: count('COMANDA_MAX_JSON_VALUES', usual.jsonValues),
    jsonDepth: read('COMANDA_MAX_JSON_DEPTH', usual.jsonDepth, 'a number of levels from 8 to 512', levels),
    items: count('COMANDA_MAX_ITEMS', usual.items),
    modifierItems: count('COMANDA_MAX_MODIFIER_ITEMS', usual.modifierItems),
    modifierGroups: count('COMANDA_MAX_MODIFIER_GROUPS', usual.modifierGroups),
    categories: count('COMANDA_MAX_CATEGORIES', usual.categories),
    menus: count('COMANDA_MAX_MENUS', usual.menus),
    treeBytes: bytes('COMANDA_MAX_TREE_BYTES', usual.treeBytes),
    menuCacheBytes: bytes('COMANDA_MENU_CACHE_BYTES', usual.menuCacheBytes),
    versionsKept: count('COMANDA_MENU_VERSIONS_KEPT', usual.versionsKept),
    versionBytesKept: bytes('COMANDA_MENU_VERSION_BYTES_KEPT', usual.versionBytesKept),
    requestsPerSecond,
    requestBurst: count('COMANDA_RATE_BURST', usual.requestBurst),
    menuPostsPerMinute: requestsPerSecond === 'off' ? 'off' : menuPostsPerMinute,
    headerBytes: bytes('COMANDA_MAX_HEADER_BYTES', usual.headerBytes),
    requestSeconds: seconds('COMANDA_REQUEST_TIMEOUT_SECONDS', usual.requestSeconds),
    importLineBytes: bytes('COMANDA_MAX_IMPORT_LINE_BYTES', usual.importLineBytes),
    importIdleSeconds: seconds('COMANDA_IMPORT_IDLE_SECONDS', usual.importIdleSeconds),
  });
}

function readDays(read: Read, name: string): number | undefined {
  return read<number | undefined>(
    name,
    undefined,
    'a number of days from 1 to 36500',
    wholeNumber(1, 36_500),
  );
}

function readMetricsListener(read: Read): Config['metricsListener'] {
  const port = read<number | undefined>(
    'COMANDA_METRICS_PORT',
    undefined,
    'a port from 0 to 65535',
    wholeNumber(0, 65_535),
  );
  const host = read('COMANDA_METRICS_HOST', '127.0.0.1', 'a host name or address', hostName);
  return port === undefined ? undefined : { host, port };
}

const SECRET_TEXT = '32 to 255 printable ASCII characters, no space at either end';

/** Read from the variable itself, or from the file that another variable names. */
function readSecret(read: Read, name: string): string | undefined {
  const inline = read<string | undefined>(name, undefined, SECRET_TEXT, secretText, 'hidden');
  const fromFile = read<string | undefined>(
    `${name}_FILE`,
    undefined,
    `a readable file that holds ${SECRET_TEXT}`,
    (path) => secretText(readText(path) ?? ''),
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

type Read = <T>(
  name: string,
  fallback: T,
  allowed: string,
  parse: (text: string) => T | undefined,
  value?: 'shown' | 'hidden',
) => T;

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

function secretText(text: string): string | undefined {
  return /^[\x21-\x7e][\x20-\x7e]{30,253}[\x21-\x7e]$/.test(text) ? text : undefined;
}

function absolutePath(text: string): string | undefined {
  return isAbsolute(text) ? text : undefined;
}

function hostName(text: string): string | undefined {
  return /^[^\s/]+$/.test(text) ? text : undefined;
}

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

function postgresUrl(text: string): string | undefined {
  return parseDatabaseAddress(text) === undefined ? undefined : text;
}
