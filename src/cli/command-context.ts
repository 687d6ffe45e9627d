import { createClient, type Client } from '#sdk';
import type { Command } from 'commander';
import { CommandFailed, EXIT } from './exit-codes.js';
import { createOutput, type Output } from './output.js';
import { readSettings, type SettingFlags } from './settings.js';
import type { Terminal } from './terminal.js';

/** What every command works with. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly out: Output;
  readonly flags: GlobalFlags;
  /** Connected with the settings; fails when there is no key. */
  readonly connect: () => Promise<Client>;
}

interface GlobalFlags extends SettingFlags {
  readonly json?: boolean;
}

/** Sets what a command does; arguments come in the order in which the command declares them. */
export function setAction<Options, Arguments extends unknown[]>(
  command: Command,
  terminal: Terminal,
  work: (context: CommandContext, options: Options, ...given: Arguments) => Promise<void>,
): Command {
  return command.action(async (...all: unknown[]) => {
    const flags = command.optsWithGlobals<GlobalFlags>();
    const given = all.slice(0, -2) as Arguments;
    await work(createContext(terminal, flags), command.opts() as Options, ...given);
  });
}

function createContext(terminal: Terminal, flags: GlobalFlags): CommandContext {
  return {
    terminal,
    flags,
    out: createOutput(terminal, flags.json === true),
    connect: async () => {
      const { url, key } = await readSettings(flags, terminal.config);
      if (key === undefined)
        throw new CommandFailed(
          EXIT.usage,
          'No key. Give --key, set COMANDA_KEY, or name a file that has one with --profile.',
        );
      return createClient({ baseUrl: checkedUrl(url), apiKey: key });
    },
  };
}

export function checkedUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new CommandFailed(
    EXIT.usage,
    `The address ${JSON.stringify(url)} should begin with http:// or https://.`,
  );
}
