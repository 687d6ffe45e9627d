import { readFile } from 'node:fs/promises';
import type { CliConfig } from './environment.js';
import { CommandFailed, EXIT } from './exit-codes.js';

export interface Settings {
  readonly url: string;
  readonly key: string | undefined;
  /** Where the two came from, for `doctor`. */
  readonly source: { readonly url: Source; readonly key: Source };
}

type Source = 'flag' | 'environment' | 'profile' | 'default' | 'nowhere';
type Pair = { readonly url?: string | undefined; readonly key?: string | undefined };

export interface SettingFlags extends Pair {
  readonly profile?: string | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Flags come first, then the environment, then the profile file. A profile that is named on the spot beats the environment. */
export async function readSettings(flags: SettingFlags, config: CliConfig): Promise<Settings> {
  const isFlagged = flags.profile !== undefined;
  const path = flags.profile ?? config.profile.path;
  const profile = await readProfile(path, isFlagged || config.profile.isNamed);
  const layers: [Source, Pair][] = [
    ['flag', flags],
    ...(isFlagged ? [['profile', profile] as [Source, Pair]] : []),
    ['environment', config],
    ['profile', profile],
  ];
  const url = layers.find(([, layer]) => layer.url !== undefined);
  const key = layers.find(([, layer]) => layer.key !== undefined);
  return {
    url: url?.[1].url ?? DEFAULT_URL,
    key: key?.[1].key,
    source: { url: url?.[0] ?? 'default', key: key?.[0] ?? 'nowhere' },
  };
}

async function readProfile(path: string, isNamed: boolean): Promise<Pair> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (!isNamed && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CommandFailed(EXIT.usage, `The profile ${path} cannot be read: ${(error as Error).message}`);
  }
  const profile = text.trimStart().startsWith('{') ? fromJson(text) : fromAssignments(text);
  if (profile === undefined)
    throw new CommandFailed(
      EXIT.usage,
      `The profile ${path} is not understood. It holds {"url": "...", "key": "..."}, or lines COMANDA_URL=... and COMANDA_KEY=...`,
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

/** The form that a shell can source, which is how the service leaves its demo key. */
function fromAssignments(text: string): Pair | undefined {
  const find = (name: string) =>
    new RegExp(`^(?:export\\s+)?${name}=(['"]?)(.*?)\\1\\s*$`, 'm').exec(text)?.[2];
  const pair = { url: find('COMANDA_URL'), key: find('COMANDA_KEY') };
  return pair.url === undefined && pair.key === undefined ? undefined : pair;
}
