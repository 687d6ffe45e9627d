import { type Client, createClient } from '#sdk';
import { type Command, Option } from 'commander';
import { createInterface } from 'node:readline/promises';
import { CommandFailed, EXIT, UsageError } from './errors.js';
import { type Column, createOutput, type Output } from './output.js';
import { readSettings, type SettingFlags } from './settings.js';
import type { Terminal } from './terminal.js';
import { toPlain } from './text.js';

export interface CommandContext {
  readonly terminal: Terminal;
  readonly out: Output;
  readonly flags: GlobalFlags;
  readonly program: Command;
  /** For the service in the settings. Asking for it fails when there is no key. */
  readonly client: Client;
}

interface GlobalFlags extends SettingFlags {
  readonly json?: boolean;
}

/** Looks up with the service what a text on the command line stands for. */
interface Lookup<T> {
  /** `before` is what was found for the arguments before it. */
  readonly find: (client: Client, text: string, before: Readonly<Record<string, unknown>>) => Promise<T>;
}
type Read = ((text: string, before: never) => unknown) | Lookup<unknown>;
/** In the notation of commander: `<store>`, `[item...]`. */
type ArgumentRow = readonly [syntax: string, about: string, read?: Read];
/** `--limit <number>`, `--force`, `--no-label`. A list of texts is what it may be. */
type FlagRow = readonly [
  syntax: string,
  about: string,
  read?: Read | readonly string[] | undefined,
  fallback?: unknown,
];

/** In place of a fallback: the flag must be given. */
export const REQUIRED = Symbol('required');

export interface CommandRow extends Signature<readonly ArgumentRow[], readonly FlagRow[]> {
  /** Such as `orders list`. */
  readonly path: string;
  readonly about: string;
  readonly run: (context: CommandContext, given: never) => Promise<void> | void;
}

type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;
type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text;
type NameOf<Syntax extends string> = Syntax extends `${string}--no-${infer Rest}`
  ? Camel<Rest>
  : Syntax extends `${string}--${infer Rest}`
    ? Camel<FirstWord<Rest>>
    : Syntax extends `<${infer Name}...>` | `[${infer Name}...]` | `<${infer Name}>` | `[${infer Name}]`
      ? Name
      : never;
type OneValueOf<Row> = Row extends readonly [string, string, infer How, ...unknown[]]
  ? How extends Lookup<infer Found>
    ? Found
    : How extends (...texts: never[]) => infer Result
      ? Result
      : How extends readonly (infer Choice)[]
        ? Choice
        : string
  : string;
/** Distributes over rows of the same name, such as `--label <text>` and `--no-label`. */
type ValueOf<Row extends ArgumentRow | FlagRow> = Row extends readonly [infer Syntax, ...unknown[]]
  ? Syntax extends `${string}...${string}`
    ? OneValueOf<Row>[]
    : Syntax extends `[${string}`
      ? OneValueOf<Row> | undefined
      : Syntax extends `${string}<${string}`
        ? OneValueOf<Row>
        : Syntax extends `${string}--no-${string}`
          ? false
          : true
  : never;
type HasValue<Row> = Row extends readonly [string, string, unknown, unknown] ? true : false;

/** What was given, by the names of arguments and flags: `--ready-in <minutes>` is `readyIn`. */
export type Given<Takes extends readonly ArgumentRow[], Flags extends readonly FlagRow[]> = {
  readonly [Row in Takes[number] as NameOf<Row[0]>]: ValueOf<Row>;
} & {
  readonly [Row in Flags[number] as NameOf<Row[0]>]: HasValue<Row> extends true
    ? ValueOf<Row>
    : ValueOf<Row> | undefined;
};

interface Signature<Takes extends readonly ArgumentRow[], Flags extends readonly FlagRow[]> {
  readonly takes?: Takes;
  readonly flags?: Flags;
  /** For arguments that look like flags. */
  readonly allowsUnknown?: boolean;
}

/** A command with a dialogue, or work, of its own. */
export function command<
  const Takes extends readonly ArgumentRow[] = [],
  const Flags extends readonly FlagRow[] = [],
>(
  path: string,
  about: string,
  row: Signature<Takes, Flags> & {
    readonly run: (context: CommandContext, given: Given<Takes, Flags>) => Promise<void> | void;
  },
): CommandRow {
  return { path, about, ...row };
}

/** A command that calls one operation, perhaps once the user has agreed, and shows what came. */
export function oneCall<
  Result extends object,
  const Takes extends readonly ArgumentRow[] = [],
  const Flags extends readonly FlagRow[] = [],
>(
  path: string,
  about: string,
  row: Signature<Takes, Flags> & {
    /** The question to confirm; the command takes --yes. */
    readonly asks?: (client: Client, given: Given<Takes, Flags>) => Promise<string> | string;
    readonly call: (client: Client, given: Given<Takes, Flags>) => Promise<Result> | Result;
    /** What was done, as a sentence. */
    readonly says?: (result: Result, given: Given<Takes, Flags>) => string;
    /** In place of a sentence, or of every field. */
    readonly shows?: (context: CommandContext, result: Result, given: Given<Takes, Flags>) => unknown;
  },
): CommandRow {
  const { asks, call, says, shows = ({ out }, result) => out.record(result) } = row;
  const run = async (context: CommandContext, given: Given<Takes, Flags> & { yes?: true }) => {
    const { client } = context;
    if (asks !== undefined) await confirmOrStop(context, await asks(client, given), given.yes);
    const result = await call(client, given);
    if (says === undefined) await shows(context, result, given);
    else context.out.done(says(result, given), result);
  };
  const flags = [...(row.flags ?? []), ...(asks === undefined ? [] : [YES])];
  return { path, about, ...row, flags, run };
}

/** A command that calls one operation and lists what came. */
export function listing<
  Row,
  const Takes extends readonly ArgumentRow[] = [],
  const Flags extends readonly FlagRow[] = [],
>(
  path: string,
  about: string,
  row: Signature<Takes, Flags> & {
    readonly call: (
      client: Client,
      given: Given<Takes, Flags>,
    ) => AsyncIterable<Row> | Promise<readonly Row[]>;
    readonly columns: (given: Given<Takes, Flags>) => readonly Column<Row>[];
    readonly nothing: string;
  },
): CommandRow {
  const run = async ({ client, out }: CommandContext, given: Given<Takes, Flags>) => {
    out.list(await collect(row.call(client, given)), row.nothing, row.columns(given));
  };
  return { path, about, ...row, run };
}

export async function collect<Row>(
  rows: AsyncIterable<Row> | Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  if (rows instanceof Promise) return rows;
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

export const YES = ['-y, --yes', 'skip the confirmation'] as const;

export function addCommand(program: Command, group: Command, terminal: Terminal, row: CommandRow): void {
  const { takes = [], flags = [] } = row;
  const added = group
    .command(row.path.split(' ').at(-1) ?? '')
    .description(row.about)
    .allowUnknownOption(row.allowsUnknown === true);
  for (const [syntax, about, read] of takes)
    if (typeof read === 'function') added.argument(syntax, about, read as (text: string) => unknown);
    else added.argument(syntax, about);
  for (const flag of flags) added.addOption(toOption(flag));
  added.action(async (...all: unknown[]) => {
    const given = all.slice(0, -2);
    const empty = added.registeredArguments.find((_, i) => [given[i]].flat().includes(''));
    // For instance an empty variable of a script. An empty path segment would lead to another address.
    if (empty !== undefined) throw new UsageError(`The argument '${empty.name()}' is empty.`);
    const context = createContext(program, terminal, added.optsWithGlobals<GlobalFlags>());
    const named = added.registeredArguments.map((argument, i) => [argument.name(), given[i]] as const);
    const found: Record<string, unknown> = { ...Object.fromEntries(named), ...added.opts() };
    for (const [syntax, , read] of [...takes, ...flags]) {
      if (!isLookup(read)) continue;
      const name = syntax.startsWith('-') ? new Option(syntax).attributeName() : syntax.replace(/\W/g, '');
      const text = found[name] as string | readonly string[] | undefined;
      if (text === undefined) continue;
      const values: unknown[] = [];
      for (const one of [text].flat()) values.push(await read.find(context.client, one, found));
      found[name] = Array.isArray(text) ? values : values[0];
    }
    await row.run(context, found as never);
  });
}

function toOption([syntax, about, read, fallback]: FlagRow): Option {
  const option = new Option(syntax, about);
  if (fallback === REQUIRED) option.makeOptionMandatory();
  else if (fallback !== undefined) option.default(fallback);
  if (typeof read === 'function') option.argParser(read as (text: string) => unknown);
  else if (Array.isArray(read)) option.choices(read as readonly string[]);
  return option;
}

function isLookup(read: FlagRow[2]): read is Lookup<unknown> {
  return typeof read === 'object' && !Array.isArray(read);
}

function createContext(program: Command, terminal: Terminal, flags: GlobalFlags): CommandContext {
  let client: Client | undefined;
  return {
    terminal,
    flags,
    program,
    out: createOutput(terminal, flags.json === true),
    get client() {
      return (client ??= connectTo(terminal, flags));
    },
  };
}

export function connectTo({ config }: Terminal, flags: SettingFlags): Client {
  const { url, key } = readSettings(flags, config);
  if (key === undefined)
    throw new UsageError('No key. Pass --key, set COMANDA_KEY, or pass --profile with a file that has one.');
  if (!/^[\x20-\x7e]+$/.test(key))
    throw new UsageError('The key has characters that no key has. Copy it again.');
  return createClient({ baseUrl: checkedUrl(url), apiKey: key });
}

export function checkedUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UsageError(`The address ${JSON.stringify(url)} must start with http:// or https://.`);
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
    throw new UsageError(`${question} There is no terminal to ask in. Add --yes to proceed.`);
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
