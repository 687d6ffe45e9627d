import type { Logger } from 'pino';
import type { ProvidedDemo } from './demo-restaurant.js';

/** The facts that a start reports, as text or in the log. */
export interface StartFacts {
  readonly version: string;
  readonly url: string;
  readonly database: {
    readonly serverVersion: string;
    readonly isBundled: boolean;
    readonly isNew: boolean;
    /** Folder of the bundled database, or address of another without its password. */
    readonly place: string;
    /** Folder of the host's own PostgreSQL programs, if they are used. */
    readonly programs: string | undefined;
  };
  readonly migrated: readonly string[];
  readonly demo: ProvidedDemo | undefined;
  readonly operatorKeyFile: string | undefined;
}

/** Prints aligned lines where people read text, one log entry elsewhere. */
export function reportStart(
  facts: StartFacts,
  log: Logger,
  text: Pick<NodeJS.WriteStream, 'write'> | undefined,
): void {
  if (!log.isLevelEnabled('info')) return;
  if (text === undefined) {
    const { url, version, database, migrated, demo, operatorKeyFile } = facts;
    log.info(
      {
        url,
        version,
        database,
        migrated,
        demo: demo === undefined ? 'none' : (demo.loaded ?? 'there'),
        console: `${url}/console`,
        signIn: signInCommand(facts),
        demoKeyFile: demo?.keyFile,
        operatorKeyFile,
      },
      `Comanda is ready on ${url}`,
    );
  } else {
    text.write(`\n${startLines(facts).join('\n')}\n\n`);
  }
}

/** A long report for a new installation, a short one afterwards. */
export function startLines(facts: StartFacts): string[] {
  const { version, url, database, migrated, demo, operatorKeyFile } = facts;
  const isFirst = database.isNew || demo?.loaded !== undefined;
  const rows = {
    Database: isFirst && describeDatabase(database),
    Migrated: migrated.map((name) => name.replace('.sql', '')).join(', '),
    Demo: demo?.loaded && describeDemo(demo.loaded),
    API: `${url}/v1`,
    Docs: `${url}/docs`,
    Console: describeConsole(facts),
    Guest: demo?.guestCode && `${url}/order/${demo.guestCode}`,
    'Sign in': demo?.consoleCode === undefined && signInCommand(facts),
    'Demo key': demo?.keyFile,
    Operator: operatorKeyFile && `${operatorKeyFile} (may do everything)`,
    'Try it': isFirst && hasPosixShell && demo?.keyFile && tryLine(demo.keyFile),
    Stop: 'Ctrl-C',
  };
  const lines = Object.entries(rows).flatMap(([name, text]) => (text ? `  ${name.padEnd(10)}${text}` : []));
  return [`Comanda ${version}`, ...lines];
}

/** The code is in the fragment, which browsers do not send to servers. */
function describeConsole({ url, demo }: StartFacts): string {
  if (demo?.consoleCode === undefined) return `${url}/console`;
  return `${url}/console#code=${demo.consoleCode} (signed in, once, within 10 minutes)`;
}

/** Prints a link into the console. The keys themselves are never shown. */
function signInCommand({ url, demo, operatorKeyFile }: StartFacts): string {
  if (operatorKeyFile !== undefined)
    return `COMANDA_URL=${url} COMANDA_KEY=$(cat ${shellQuoted(operatorKeyFile)}) npx comanda console-link`;
  if (demo?.keyFile !== undefined) return `npx comanda --profile ${shellQuoted(demo.keyFile)} console-link`;
  return `npx comanda --url ${url} console-link (with a key in COMANDA_KEY)`;
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

function describeDemo({ stores, orders }: { stores: number; orders: number }): string {
  return `Casa Comanda, ${stores} stores, ${orders} orders from the last four weeks`;
}

const hasPosixShell = process.platform !== 'win32';

/** Works from any folder, in any POSIX shell. */
function tryLine(keyFile: string): string {
  return `. ${shellQuoted(keyFile)} && curl -H "x-api-key: $COMANDA_KEY" "$COMANDA_URL/v1/stores/"`;
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The address to use on this machine for a service that listens on every address. */
export function reachableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
