import type { Logger } from 'pino';
import type { ProvidedDemo } from './demo-restaurant.js';

/** What a start has to tell, in a terminal and in the log. */
export interface StartFacts {
  readonly version: string;
  readonly url: string;
  readonly database: {
    readonly serverVersion: string;
    readonly isBundled: boolean;
    readonly isNew: boolean;
    /** The folder of the bundled one, or the address of another, without its password. */
    readonly place: string;
    /** The folder of the host's own programs, where they run instead of the bundled ones. */
    readonly programs: string | undefined;
    /** A release that has mended faults of the one that runs. */
    readonly newerRelease: string | undefined;
  };
  readonly migrated: readonly string[];
  readonly demo: ProvidedDemo | undefined;
  readonly operatorKeyFile: string | undefined;
}

/** Aligned lines in a terminal; elsewhere one entry of the log. */
export function reportStart(facts: StartFacts, log: Logger, terminal: NodeJS.WriteStream | undefined): void {
  if (!log.isLevelEnabled('info')) return;
  if (terminal === undefined) {
    const { url, version, database, migrated, demo } = facts;
    log.info(
      {
        url,
        version,
        database,
        migrated,
        demo: demo === undefined ? 'none' : (demo.loaded ?? 'there'),
        console: `${url}/console`,
      },
      `Comanda is ready on ${url}`,
    );
  } else {
    terminal.write(`\n${startLines(facts).join('\n')}\n\n`);
  }
}

/** The whole story when something is new here; afterwards only what is needed every day. */
export function startLines(facts: StartFacts): string[] {
  const { version, url, database, migrated, demo, operatorKeyFile } = facts;
  const isFirst = database.isNew || demo?.loaded !== undefined;
  const rows: (readonly [string, string])[] = [
    ['Database', describeDatabase(database)],
    ...(migrated.length === 0
      ? []
      : [['Migrated', migrated.map((name) => name.replace('.sql', '')).join(', ')] as const]),
    ...(demo?.loaded === undefined ? [] : [['Demo', describeDemo(demo.loaded)] as const]),
    ['API', `${url}/v1`],
    ['Docs', `${url}/docs`],
    ['Console', describeConsole(facts)],
    ...(demo?.keyFile === undefined ? [] : [['Demo key', demo.keyFile] as const]),
    ...(operatorKeyFile === undefined
      ? []
      : [['Operator', `${operatorKeyFile} (may do everything)`] as const]),
    ...(isFirst && demo?.keyFile !== undefined && hasPosixShell
      ? [['Try it', tryLine(demo.keyFile)] as const]
      : []),
    ...(database.newerRelease === undefined ? [] : [['Note', describeNewer(database)] as const]),
    ['Stop', 'Ctrl-C'],
  ];
  const everyDay = ['API', 'Docs', 'Console', 'Migrated', 'Demo key', 'Operator', 'Note', 'Stop'];
  const shown = isFirst ? rows : rows.filter(([name]) => everyDay.includes(name));
  return [`Comanda ${version}`, ...shown.map(([name, text]) => `  ${name.padEnd(10)}${text}`)];
}

/** The code is in the fragment, which no browser sends anywhere but where the page itself sends it. */
function consoleLink({ url, demo }: StartFacts): string {
  return `${url}/console${demo?.consoleCode === undefined ? '' : `#code=${demo.consoleCode}`}`;
}

function describeConsole(facts: StartFacts): string {
  const isSignedIn = facts.demo?.consoleCode !== undefined;
  return isSignedIn ? `${consoleLink(facts)} (signed in, once, within 10 minutes)` : consoleLink(facts);
}

function describeDatabase({
  serverVersion,
  isBundled,
  isNew,
  place,
  programs,
}: StartFacts['database']): string {
  if (!isBundled) return `PostgreSQL ${serverVersion} at ${place}`;
  const whose = programs === undefined ? 'bundled' : `of ${programs}`;
  return `PostgreSQL ${serverVersion}, ${whose}, ${isNew ? 'new ' : ''}in ${place}`;
}

function describeNewer({ newerRelease = '', serverVersion, programs }: StartFacts['database']): string {
  const mended = `PostgreSQL ${newerRelease} has mended faults of ${serverVersion}`;
  return programs === undefined
    ? `${mended}; COMANDA_POSTGRES_BIN runs your own (docs/operating.md)`
    : mended;
}

function describeDemo({ stores, orders }: { stores: number; orders: number }): string {
  return `Casa Comanda, ${stores} stores, ${orders} orders of the last four weeks`;
}

const hasPosixShell = process.platform !== 'win32';

/** Works from any folder and in any shell that knows the dot. */
function tryLine(keyFile: string): string {
  return `. ${shellQuoted(keyFile)} && curl -H "x-api-key: $COMANDA_KEY" "$COMANDA_URL/v1/stores/"`;
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The address by which this machine reaches a service that listens on every address. */
export function reachableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
