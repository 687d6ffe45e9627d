import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from './errors.js';

/** The environment of the command line. Flags override it; it overrides the profile file. */
export interface CliConfig {
  readonly url: string | undefined;
  readonly key: string | undefined;
  /** Where a service started with this environment listens, for `doctor`. */
  readonly port: string | undefined;
  /** The profile file, which must exist if it was named. */
  readonly profile: { readonly path: string; readonly isNamed: boolean };
  readonly colour: 'always' | 'never' | 'when in a terminal';
}

type Environment = Readonly<Record<string, string | undefined>>;

export function loadCliConfig(environment: Environment = process.env): CliConfig {
  const given = (name: string) => (environment[name] === '' ? undefined : environment[name]);
  const named = given('COMANDA_PROFILE');
  const folder = given('XDG_CONFIG_HOME') ?? join(given('HOME') ?? homedir(), '.config');
  return {
    url: given('COMANDA_URL'),
    key: given('COMANDA_KEY'),
    port: given('PORT'),
    profile: { path: named ?? join(folder, 'comanda', 'profile.json'), isNamed: named !== undefined },
    colour: chooseColour(given),
  };
}

function chooseColour(given: (name: string) => string | undefined): CliConfig['colour'] {
  if (given('NO_COLOR') !== undefined || given('TERM') === 'dumb') return 'never';
  const forced = given('FORCE_COLOR');
  return forced === undefined || forced === '0' ? 'when in a terminal' : 'always';
}

export interface Settings {
  readonly url: string;
  readonly key: string | undefined;
  /** Where address and key came from, for `doctor`. */
  readonly source: { readonly url: Source; readonly key: Source };
}

type Source = 'flag' | 'environment' | 'profile' | 'default' | 'nowhere';
type Pair = { readonly url?: string | undefined; readonly key?: string | undefined };

export interface SettingFlags extends Pair {
  readonly profile?: string | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Flags win over the environment, which wins over the profile file. A profile given by flag wins over the environment. */
export function readSettings(flags: SettingFlags, config: CliConfig): Settings {
  const isFlagged = flags.profile !== undefined;
  const profile = readProfile(flags.profile ?? config.profile.path, isFlagged || config.profile.isNamed);
  const layers = { flag: flags, environment: config, profile };
  const others = isFlagged ? (['profile', 'environment'] as const) : (['environment', 'profile'] as const);
  const sourceOf = (name: keyof Pair) =>
    (['flag', ...others] as const).find((layer) => layers[layer][name] !== undefined);
  const [urlFrom, keyFrom] = [sourceOf('url'), sourceOf('key')];
  return {
    url: (urlFrom && layers[urlFrom].url) ?? DEFAULT_URL,
    key: keyFrom && layers[keyFrom].key,
    source: { url: urlFrom ?? 'default', key: keyFrom ?? 'nowhere' },
  };
}

function readProfile(path: string, isNamed: boolean): Pair {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (!isNamed && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`Cannot read the profile ${path}: ${(error as Error).message}`);
  }
  const profile = text.trimStart().startsWith('{') ? fromJson(text) : fromAssignments(text);
  if (profile === undefined)
    throw new UsageError(
      `Cannot parse the profile ${path}. It must be {"url": "...", "key": "..."}, or lines COMANDA_URL=... and COMANDA_KEY=...`,
    );
  return profile;
}

function fromJson(text: string): Pair | undefined {
  try {
    const { url, key } = JSON.parse(text) as Record<string, unknown>;
    const isText = (value: unknown) => value === undefined || typeof value === 'string';
    return isText(url) && isText(key) ? { url, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads lines that a shell can source, such as the demo.env that the service writes. */
function fromAssignments(text: string): Pair | undefined {
  const find = (name: string) =>
    new RegExp(`^(?:export\\s+)?${name}=(['"]?)(.*?)\\1\\s*$`, 'm').exec(text)?.[2];
  const pair = { url: find('COMANDA_URL'), key: find('COMANDA_KEY') };
  return pair.url === undefined && pair.key === undefined ? undefined : pair;
}
