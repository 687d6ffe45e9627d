import { ApiError, ConnectionError, ValidationError } from '#sdk';
import { Command, CommanderError, Help, type HelpConfiguration, InvalidArgumentError } from 'commander';
import { version } from '../support/version.js';
import { EVENT_ROWS } from './events/events.js';
import { LISTEN_ROWS } from './events/listen.js';
import { WEBHOOK_ROWS } from './events/webhooks.js';
import { BACKUP_ROWS } from './installation/backup.js';
import { MOVE_ROWS } from './installation/move.js';
import { COMPLETION_ROWS } from './installation/completion.js';
import { DEMO_ROWS } from './installation/demo.js';
import { DOCTOR_ROWS } from './installation/doctor.js';
import { FLEET_ROWS } from './installation/fleet.js';
import { KEY_ROWS } from './installation/keys.js';
import { MCP_ROWS } from './installation/mcp.js';
import { REQUEST_ROWS } from './installation/request.js';
import { SERVE_ROWS } from './installation/serve.js';
import { STORE_ROWS } from './installation/stores.js';
import { addCommand, type CommandRow } from './lib/command.js';
import { describeErrors } from './lib/documents.js';
import { CommandFailed, EXIT, exitCodeOf } from './lib/errors.js';
import { paint, type Terminal, writeLine } from './lib/terminal.js';
import { wrapTo } from './lib/text.js';
import { AVAILABLE_ROWS } from './menus/available.js';
import { CONVERT_ROWS } from './menus/convert.js';
import { MENU_ROWS } from './menus/menu.js';
import { PRICE_ROWS } from './menus/price.js';
import { PUBLICATION_ROWS } from './menus/publications.js';
import { PULL_ROWS } from './menus/pull.js';
import { PHOTO_ROWS } from './menus/photos.js';
import { STOCK_ROWS } from './menus/stock.js';
import { CUSTOMER_ROWS } from './orders/customers.js';
import { ORDER_INTAKE_ROWS } from './orders/intake.js';
import { ORDER_AMOUNT_ROWS } from './orders/amounts.js';
import { ORDER_ROWS } from './orders/orders.js';
import { INTAKE_ROWS } from './orders/pace.js';
import { PLACE_ROWS } from './orders/places.js';
import { PRINTER_ROWS } from './orders/printers.js';
import { SALES_ROWS } from './orders/sales.js';
import { TABLE } from './table.js';

/** What the groups of commands are for, in the order of the help. */
const GROUPS: Readonly<Record<string, string>> = {
  merchants: 'manage merchants',
  stores: 'manage stores',
  keys: 'manage API keys (operator key, or keys:write)',
  audit: 'who changed what (operator key, or keys:write)',
  menu: 'manage the menu of a store: files, versions, stock',
  'menu photos': 'list, set and download photos of items',
  'menu publications': 'list, show and cancel publications to several stores, or later',
  orders: 'manage orders',
  customers: 'erase customers, and export what is held about one',
  intake: 'what the kitchen takes: pause, busy, special days, slots',
  places: 'tables and pick-up points where guests order by QR code',
  printers: 'printers that fetch tickets, and a bridge to network printers',
  events: 'follow what happens in stores',
  webhooks: 'manage webhooks',
  demo: 'try the service with demo data',
};

const COMMANDS: readonly CommandRow[] = [
  ...SERVE_ROWS,
  ...DOCTOR_ROWS,
  ...TABLE,
  ...STORE_ROWS,
  ...KEY_ROWS,
  ...FLEET_ROWS,
  ...PULL_ROWS,
  ...MENU_ROWS,
  ...PRICE_ROWS,
  ...CONVERT_ROWS,
  ...STOCK_ROWS,
  ...PHOTO_ROWS,
  ...AVAILABLE_ROWS,
  ...PUBLICATION_ROWS,
  ...ORDER_ROWS,
  ...ORDER_AMOUNT_ROWS,
  ...ORDER_INTAKE_ROWS,
  ...CUSTOMER_ROWS,
  ...INTAKE_ROWS,
  ...PLACE_ROWS,
  ...PRINTER_ROWS,
  ...SALES_ROWS,
  ...EVENT_ROWS,
  ...LISTEN_ROWS,
  ...WEBHOOK_ROWS,
  ...BACKUP_ROWS,
  ...MOVE_ROWS,
  ...REQUEST_ROWS,
  ...MCP_ROWS,
  ...DEMO_ROWS,
  ...COMPLETION_ROWS,
];

const parentOf = (path: string) => path.split(' ').slice(0, -1).join(' ');

function buildProgram(terminal: Terminal): Command {
  const program = new Command('comanda')
    .description('Run a Comanda service, or talk to one over HTTP.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('--url <address>', 'address of the service (env: COMANDA_URL, default: http://127.0.0.1:8080)')
    .option('--key <key>', 'API key (env: COMANDA_KEY)')
    .option(
      '--profile <file>',
      'file with address and key (env: COMANDA_PROFILE, default: ~/.config/comanda/profile.json)',
    )
    .option('--json', 'print results and errors as JSON')
    .exitOverride()
    .showHelpAfterError('Run with --help for usage.')
    .configureHelp(helpLayout(terminal.columns))
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      getOutHasColors: () => terminal.hasColour,
      getErrHasColors: () => terminal.hasColour,
    });
  const groups = new Map([['', program]]);
  for (const [path, about] of Object.entries(GROUPS))
    groups.set(
      path,
      (groups.get(parentOf(path)) ?? program).command(path.split(' ').at(-1) ?? '').description(about),
    );
  for (const row of COMMANDS) {
    const group = groups.get(parentOf(row.path));
    if (group === undefined) throw new Error(`No group for ${row.path}.`);
    addCommand(program, group, terminal, row);
  }
  return program;
}

const ROOMY_COLUMNS = 72;
const HELP_INDENT = '      ';

/** Puts a description beside its flag, or below it in a narrow terminal. */
function helpLayout(columns: number): HelpConfiguration {
  if (columns >= ROOMY_COLUMNS) return { showGlobalOptions: true };
  const width = columns - HELP_INDENT.length;
  return {
    showGlobalOptions: true,
    minWidthToWrap: 20,
    commandUsage: (command) =>
      wrapTo(new Help().commandUsage(command), columns - 'Usage: '.length).join(`\n${HELP_INDENT}`),
    formatItem: (term, _termWidth, description) =>
      [
        `  ${wrapTo(term, width).join(`\n${HELP_INDENT}`)}`,
        ...wrapTo(description, width).map((line) => HELP_INDENT + line),
      ].join('\n'),
  };
}

/** Runs one command line; resolves to its exit code. */
export async function run(commandLine: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await buildProgram(terminal).parseAsync(commandLine, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof InvalidArgumentError) {
      explain(terminal, error);
      return EXIT.usage;
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const exitCode = exitCodeOf(error);
    if (commandLine.includes('--json')) writeLine(terminal.stderr, JSON.stringify(toJson(error, exitCode)));
    else explain(terminal, error);
    return exitCode;
  }
}

function toJson(error: unknown, exitCode: number): object {
  const status = error instanceof ApiError ? { status: error.status, detail: error.detail } : {};
  const detail = error instanceof CommandFailed && error.detail !== undefined ? { detail: error.detail } : {};
  return { error: { message: messageOf(error), exit_code: exitCode, ...status, ...detail } };
}

/** A TypeError means that the response has another shape than this version of the service gives. */
function messageOf(error: unknown): string {
  if (error instanceof TypeError)
    return `Unexpected response (${error.message}). Is this the address of a Comanda service, and of this version?`;
  return error instanceof Error ? error.message : String(error);
}

const START_OR_NAME_ONE =
  'Is the service running? Start one here with `comanda serve`, or pass the address of another with --url.';

const HINTS: Readonly<Record<number, string>> = {
  401: 'The key is unknown, expired or revoked. `comanda doctor` shows where it comes from.',
  403: 'Ask the operator for a key with that permission.',
  503: 'The service is running, but its database is unavailable. Try again, or check its log.',
};

function explain(terminal: Terminal, error: unknown): void {
  const say = (text: string) => writeLine(terminal.stderr, text);
  const lead = paint(terminal, 'red', 'Error:');
  if (error instanceof ValidationError && error.errors.length > 0) {
    say(`${lead} the service rejected the request.`);
    for (const line of describeErrors(terminal, error.errors)) say(line);
    return;
  }
  say(`${lead} ${messageOf(error)}`);
  if (error instanceof CommandFailed) for (const line of error.lines) say(line);
  if (error instanceof ConnectionError) say(START_OR_NAME_ONE);
  if (!(error instanceof ApiError)) return;
  const hint = HINTS[error.status];
  if (hint !== undefined) say(hint);
  if (error.status >= 500 && error.requestId !== undefined) say(`Request ${error.requestId}`);
}
