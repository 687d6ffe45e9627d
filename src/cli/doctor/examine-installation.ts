import { execFile } from 'node:child_process';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig, type Config } from '../../config.js';
import { findPlatformPackage, newerRelease } from '../../embedded/platform-package.js';
import { version } from '../../version.js';
import { fine, remark, wrong, type Finding } from './finding.js';

const GIB = 1024 ** 3;

/** What `comanda serve` would meet on this machine. */
export async function examineInstallation(): Promise<Finding[]> {
  const findings: Finding[] = [
    fine(`Comanda ${version} on Node ${process.versions.node}, ${process.platform} ${process.arch}`),
  ];
  let config: Config;
  try {
    config = loadConfig();
  } catch (error) {
    return [
      ...findings,
      wrong(`The configuration: ${(error as Error).message}`, 'See docs/configuration.md.'),
    ];
  }
  findings.push(fine(`Configuration: port ${config.port} on ${config.host}`));
  for (const warning of config.warnings) findings.push(remark(warning, 'See docs/configuration.md.'));
  if (config.databasePlace !== undefined)
    return [...findings, await examineDatabaseAddress(config, config.databasePlace)];
  const programs = await examinePrograms(config.postgresBin);
  return [...findings, ...programs, ...(await examineDataFolder(config.dataDir))];
}

async function examineDatabaseAddress(config: Config, place: string): Promise<Finding> {
  // Loaded only here, so that no other command waits for it.
  const { examineDatabaseOf } = await import('../../start/migrate-installation.js');
  const found = await examineDatabaseOf(config);
  if (typeof found === 'string') return wrong(`Database: ${place}`, found);
  const { serverVersion, schema, known } = found;
  const name = `Database: PostgreSQL ${serverVersion} at ${place} (DATABASE_URL)`;
  if (schema > known)
    return wrong(
      `${name} has schema ${schema}, and this version of the service knows only ${known}`,
      'Run the newer version that migrated it, or restore a backup into another database.',
    );
  if (schema === known) return fine(name);
  return fine(
    `${name}; the next start ${schema === 0 ? 'makes its tables' : `migrates it from schema ${schema} to ${known}`}`,
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
      return [wrong(`Database: ${name}`, `COMANDA_POSTGRES_BIN must lead to a PostgreSQL ${major}.`)];
    const newer = newerRelease(release);
    if (newer === undefined) return [fine(`Database: ${name}`)];
    return [
      remark(
        `Database: ${name}; ${newer} has mended faults of it`,
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
    return [wrong(`${parent} cannot be written to`, 'Give this user the right, or set COMANDA_DATA_DIR.')];
  }
  const { bavail, bsize } = await statfs(parent);
  const free = (bavail * bsize) / GIB;
  const space = `${free.toFixed(1)} GiB free`;
  const findings = [
    parent === dataDir
      ? fine(`Data folder: ${dataDir}, ${space}`)
      : fine(`Data folder: ${dataDir}, made at the first start, ${space}`),
  ];
  if (free < 1) findings.push(wrong(`Only ${space}`, 'Make space: a database that cannot write stops.'));
  const key = join(dataDir, 'operator.key');
  const mode = (await stat(key).catch(() => undefined))?.mode;
  // Windows has no such modes.
  if (process.platform !== 'win32' && mode !== undefined && (mode & 0o077) !== 0)
    findings.push(remark(`${key} can be read by others`, `Run: chmod 600 ${key}`));
  return findings;
}

async function nearestExisting(path: string): Promise<string> {
  return (await stat(path).catch(() => undefined)) === undefined ? nearestExisting(dirname(path)) : path;
}
