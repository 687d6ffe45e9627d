import { type Client, createClient } from '#sdk';
import type { Command } from 'commander';
import { createInterface } from 'node:readline/promises';
import { CommandFailed, EXIT } from './errors.js';
import { createOutput, type Output } from './output.js';
import { readSettings, type SettingFlags } from './settings.js';
import type { Terminal } from './terminal.js';
import { toPlain } from './text.js';

/** What every command gets. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly out: Output;
  readonly flags: GlobalFlags;
  /** A client for the service in the settings; fails when there is no key. */
  readonly connect: () => Promise<Client>;
}

interface GlobalFlags extends SettingFlags {
  readonly json?: boolean;
}

/** Sets the action of a command. Arguments arrive in the order in which the command declares them. */
export function setAction<Options, Arguments extends unknown[]>(
  command: Command,
  terminal: Terminal,
  work: (context: CommandContext, options: Options, ...given: Arguments) => Promise<void>,
): Command {
  return command.action(async (...all: unknown[]) => {
    const flags = command.optsWithGlobals<GlobalFlags>();
    const given = all.slice(0, -2) as Arguments;
    const empty = command.registeredArguments.find((_, i) => [given[i]].flat().includes(''));
    // For instance an empty variable of a script. An empty path segment would lead to another address.
    if (empty !== undefined) throw new CommandFailed(EXIT.usage, `The argument '${empty.name()}' is empty.`);
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
          'No key. Pass --key, set COMANDA_KEY, or pass --profile with a file that has one.',
        );
      if (!/^[\x20-\x7e]+$/.test(key))
        throw new CommandFailed(EXIT.usage, 'The key has characters that no key has. Copy it again.');
      return createClient({ baseUrl: checkedUrl(url), apiKey: key });
    },
  };
}

export function checkedUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new CommandFailed(
    EXIT.usage,
    `The address ${JSON.stringify(url)} must start with http:// or https://.`,
  );
}

/**
 * Asks for confirmation, unless --yes was given, and stops the command when the answer is no. Returns the answer to a second
 * question; false where it is not asked.
 */
export async function confirmOrStop(
  { terminal }: CommandContext,
  question: string,
  isAgreed: boolean | undefined,
  then?: string,
): Promise<boolean> {
  if (isAgreed === true) return false;
  if (!terminal.canAsk)
    throw new CommandFailed(EXIT.usage, `${question} There is no terminal to ask in. Add --yes to proceed.`);
  // Without `terminal`, the terminal itself edits the line and Ctrl-C ends the command as usual.
  const lines = createInterface({ input: terminal.stdin, terminal: false });
  const typed = lines[Symbol.asyncIterator]();
  const ask = async (what: string) => {
    terminal.stderr.write(`${toPlain(what)} [y/N] `);
    const answer = await typed.next();
    if (answer.done === true) terminal.stderr.write('\n');
    return answer.done !== true && /^\s*y(es)?\s*$/i.test(answer.value);
  };
  try {
    if (!(await ask(question))) throw new CommandFailed(EXIT.declined, 'Nothing was changed.');
    return then !== undefined && (await ask(then));
  } finally {
    lines.close();
  }
}
