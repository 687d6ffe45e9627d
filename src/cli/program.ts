import { Command, Help, type HelpConfiguration } from 'commander';
import { version } from '../version.js';
import { addBackupCommands } from './commands/backup.js';
import { addCompletionCommand } from './commands/completion.js';
import { addDemoCommands } from './commands/demo.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addEventCommands } from './commands/events.js';
import { addKeyCommands } from './commands/keys.js';
import { addListenCommand } from './commands/listen.js';
import { addMenuAvailableCommand } from './commands/menu-available.js';
import { addMenuHistoryCommands } from './commands/menu-history.js';
import { addMenuPublishCommands } from './commands/menu-publish.js';
import { addMenuPullCommand } from './commands/menu-pull.js';
import { addMenuStockCommand } from './commands/menu-stock.js';
import { addMerchantCommands } from './commands/merchants.js';
import { addOrderChangeCommands } from './commands/orders-change.js';
import { addOrderCreateCommand } from './commands/orders-create.js';
import { addOrderListCommand } from './commands/orders-list.js';
import { addOrderTransferCommands } from './commands/orders-transfer.js';
import { addQuoteCommand } from './commands/quote.js';
import { addRequestCommand } from './commands/request.js';
import { addServeCommands } from './commands/serve.js';
import { addStoreCommands } from './commands/stores.js';
import { addWebhookChangeCommands } from './commands/webhooks-change.js';
import { addWebhookWatchCommands } from './commands/webhooks-watch.js';
import { toPlainLines } from './plain-text.js';
import type { Terminal } from './terminal.js';
import { wrapTo } from './text-width.js';

/** Every command, declared. */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command('comanda')
    .description('Run a Comanda service, and work with one over HTTP.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('--url <address>', 'where the service is (COMANDA_URL; http://127.0.0.1:8080)')
    .option('--key <key>', 'the key to use (COMANDA_KEY)')
    .option('--profile <file>', 'a file that holds both (COMANDA_PROFILE; ~/.config/comanda/profile.json)')
    .option('--json', 'print JSON, also for errors')
    .exitOverride()
    .showHelpAfterError('Add --help to see what is possible.')
    .configureHelp(helpLayout(terminal.columns))
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(toPlainLines(text)),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      getOutHasColors: () => terminal.hasColour,
      getErrHasColors: () => terminal.hasColour,
    });
  addServeCommands(program, terminal);
  addDoctorCommand(program, terminal);
  addMerchantCommands(program, terminal);
  addStoreCommands(program, terminal);
  addKeyCommands(program, terminal);

  const menu = program.command('menu').description('the menu of a store: files, versions, stock');
  addMenuPullCommand(menu, terminal);
  addMenuPublishCommands(menu, terminal);
  addMenuHistoryCommands(menu, terminal);
  addMenuStockCommand(menu, terminal);
  addMenuAvailableCommand(menu, terminal);

  const orders = program.command('orders').description('the orders of a store');
  addOrderListCommand(orders, terminal);
  addOrderCreateCommand(orders, terminal);
  addOrderChangeCommands(orders, terminal);
  addOrderTransferCommands(orders, terminal);

  addQuoteCommand(program, terminal);
  addEventCommands(program, terminal);
  addListenCommand(program, terminal);

  const webhooks = program.command('webhooks').description('addresses that are sent the events of stores');
  addWebhookChangeCommands(webhooks, terminal);
  addWebhookWatchCommands(webhooks, terminal);

  addBackupCommands(program, terminal);
  addRequestCommand(program, terminal);
  addDemoCommands(program, terminal);
  addCompletionCommand(program, terminal);
  return program;
}

const ROOMY_COLUMNS = 72;
const HELP_INDENT = '      ';

/** A description stands beside its flag; in a narrow terminal, below it. */
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
