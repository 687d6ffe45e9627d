import { execFile } from 'node:child_process';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Config, loadConfig } from '../../config.js';
import { findPlatformPackage, newerRelease } from '../../postgres/bundled/platform-package.js';
import { version } from '../../support/version.js';
import { command, type CommandRow } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { type CliConfig, readSettings, type Settings } from '../lib/settings.js';
import { paint, type Terminal, writeLine } from '../lib/terminal.js';
import { counted, toPlain, wrapTo } from '../lib/text.js';
import { examinePublic } from './doctor-public.js';
import { examineService, type Finding, fine, remark, wrong } from './doctor-service.js';

export const DOCTOR_ROWS: readonly CommandRow[] = [
  command('doctor', 'diagnose this machine and the service', {
    flags: [
      ['--local', 'check only this machine, for `comanda serve`'],
      ['--remote', 'check only the service and the key'],
      ['--public <url>', 'check only the address that guests reach: certificate, proxy, live streams'],
    ],
    run: async ({ out, flags, terminal }, { local, remote, public: address }) => {
      const settings = whereServed(readSettings(flags, terminal.config), terminal.config);
      const findings =
        typeof address === 'string'
          ? await examinePublic(address, settings)
          : [
              ...(remote === true ? [] : await examineInstallation()),
              ...(local === true ? [] : await examineService(settings)),
            ];
      if (out.isJson) out.json(findings);
      else for (const finding of findings) show(terminal, finding);
      const count = findings.filter(({ state }) => state === 'wrong').length;
      if (count > 0)
        throw new CommandFailed(EXIT.failed, `${counted(count, 'thing is', 'things are')} wrong.`);
    },
  }),
];

/** Without another address, the service is where PORT lets it listen. */
function whereServed(settings: Settings, { port }: CliConfig): Settings {
  const url = `http://127.0.0.1:${port ?? ''}`;
  // What is wrong with PORT is told of the configuration.
  const isUsable = settings.source.url === 'default' && port !== undefined && URL.canParse(url);
  return isUsable ? { ...settings, url } : settings;
}

const INDENT = '       ';
const LOOKS = { fine: ['green', 'ok   '], remark: ['yellow', 'note '], wrong: ['red', 'wrong'] } as const;

function show(terminal: Terminal, { state, what, todo }: Finding): void {
  const [style, word] = LOOKS[state];
  const texts = todo === undefined ? [what] : [what, todo];
  const width = terminal.isForPeople ? terminal.columns - INDENT.length : Infinity;
  const [first, ...rest] = texts.flatMap((text) => wrapTo(toPlain(text), width));
  writeLine(terminal.stdout, `${paint(terminal, style, word)}  ${first ?? ''}`);
  for (const line of rest) writeLine(terminal.stdout, `${INDENT}${line}`);
}

const GIB = 1024 ** 3;

/** Checks what `comanda serve` needs on this machine. */
async function examineInstallation(): Promise<Finding[]> {
  const findings: Finding[] = [
    fine(`Comanda ${version} on Node ${process.versions.node}, ${process.platform} ${process.arch}`),
  ];
  let config: Config;
  try {
    config = loadConfig();
  } catch (error) {
    return [...findings, wrong(`Configuration: ${(error as Error).message}`, 'See docs/configuration.md.')];
  }
  findings.push(fine(`Configuration: port ${config.port} on ${config.host}`));
  for (const warning of config.warnings) findings.push(remark(warning, 'See docs/configuration.md.'));
  if (config.databasePlace !== undefined)
    return [...findings, await examineDatabaseAddress(config, config.databasePlace)];
  const programs = await examinePrograms(config.postgresBin);
  return [...findings, ...programs, ...(await examineDataFolder(config.dataDir))];
}

async function examineDatabaseAddress(config: Config, place: string): Promise<Finding> {
  // Loaded only here, so that other commands start faster.
  const { examineDatabaseOf } = await import('../../start/installation.js');
  const found = await examineDatabaseOf(config);
  if (typeof found === 'string') return wrong(`Database: ${place}`, found);
  const { serverVersion, schema, known, silentNodes } = found;
  const name = `Database: PostgreSQL ${serverVersion} at ${place} (DATABASE_URL)`;
  if (silentNodes.length > 0)
    return wrong(
      `${name}: no answer from ${silentNodes.join(', ')}`,
      'The stores on this Citus node are offline. Start it, or let its standby take over at the same address.',
    );
  if (schema > known)
    return wrong(
      `${name} has schema ${schema}, but this version supports only ${known}`,
      'Run the newer version that migrated it, or restore a backup into another database.',
    );
  if (schema === known) return fine(name);
  return fine(
    `${name}; the next start ${schema === 0 ? 'creates its tables' : `migrates it from schema ${schema} to ${known}`}`,
  );
}

async function examinePrograms(ownPrograms: string | undefined): Promise<Finding[]> {
  try {
    const { version: bundled, major } = await findPlatformPackage();
    const release = ownPrograms === undefined ? bundled : await readRelease(join(ownPrograms, 'postgres'));
    const whose = ownPrograms === undefined ? 'bundled' : `of ${ownPrograms}`;
    const [found, minor] = release.split('.');
    const name = `PostgreSQL ${found ?? ''}.${minor ?? ''}, ${whose}`;
    if (found !== major)
      return [wrong(`Database: ${name}`, `COMANDA_POSTGRES_BIN must point to PostgreSQL ${major}.`)];
    const newer = newerRelease(release);
    if (newer === undefined) return [fine(`Database: ${name}`)];
    return [
      remark(
        `Database: ${name}; ${newer} fixes bugs in it`,
        `Install PostgreSQL ${newer} and set COMANDA_POSTGRES_BIN to the folder of its programs (docs/operating.md).`,
      ),
    ];
  } catch (error) {
    return [wrong((error as Error).message, 'See docs/operating.md.')];
  }
}

async function readRelease(postgres: string): Promise<string> {
  const { stdout } = await promisify(execFile)(postgres, ['--version']);
  return /\(PostgreSQL\) (\S+)/.exec(stdout)?.[1] ?? stdout.trim();
}

async function examineDataFolder(dataDir: string): Promise<Finding[]> {
  const parent = await nearestExisting(dataDir);
  try {
    await access(parent, constants.W_OK);
  } catch {
    return [wrong(`${parent} cannot be written to`, 'Give this user write access, or set COMANDA_DATA_DIR.')];
  }
  const { bavail, bsize } = await statfs(parent);
  const free = (bavail * bsize) / GIB;
  const space = `${free.toFixed(1)} GiB free`;
  const findings = [
    parent === dataDir
      ? fine(`Data folder: ${dataDir}, ${space}`)
      : fine(`Data folder: ${dataDir}, created at the first start, ${space}`),
  ];
  if (free < 1) findings.push(wrong(`Only ${space}`, 'Free some space: a database that cannot write stops.'));
  const key = join(dataDir, 'operator.key');
  const mode = (await stat(key).catch(() => undefined))?.mode;
  // Windows has no file modes.
  if (process.platform !== 'win32' && mode !== undefined && (mode & 0o077) !== 0)
    findings.push(remark(`${key} can be read by others`, `Run: chmod 600 ${key}`));
  return findings;
}

async function nearestExisting(path: string): Promise<string> {
  return (await stat(path).catch(() => undefined)) === undefined ? nearestExisting(dirname(path)) : path;
}
