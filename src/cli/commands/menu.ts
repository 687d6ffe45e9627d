import type { Command } from 'commander';
import type { Terminal } from '../terminal.js';
import { addMenuAvailableCommand } from './menu-available.js';
import { addMenuHistoryCommands } from './menu-history.js';
import { addMenuPublishCommands } from './menu-publish.js';
import { addMenuPullCommand } from './menu-pull.js';
import { addMenuStockCommand } from './menu-stock.js';

export function addMenuCommands(program: Command, terminal: Terminal): void {
  const menu = program.command('menu').description('the menu of a store: files, versions, stock');
  addMenuPullCommand(menu, terminal);
  addMenuPublishCommands(menu, terminal);
  addMenuHistoryCommands(menu, terminal);
  addMenuStockCommand(menu, terminal);
  addMenuAvailableCommand(menu, terminal);
}
