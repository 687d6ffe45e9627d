import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the environment tells the command line; flags come before it, the profile file after. */
export interface CliConfig {
  readonly url: string | undefined;
  readonly key: string | undefined;
  /** The profile file, and whether someone asked for it by name: then it has to be there. */
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
    profile: { path: named ?? join(folder, 'comanda', 'profile.json'), isNamed: named !== undefined },
    colour: chooseColour(given),
  };
}

function chooseColour(given: (name: string) => string | undefined): CliConfig['colour'] {
  if (given('NO_COLOR') !== undefined || given('TERM') === 'dumb') return 'never';
  const forced = given('FORCE_COLOR');
  return forced === undefined || forced === '0' ? 'when in a terminal' : 'always';
}
