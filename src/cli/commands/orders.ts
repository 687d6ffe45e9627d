import type { Command } from 'commander';
import type { Terminal } from '../terminal.js';
import { addOrderChangeCommands } from './orders-change.js';
import { addOrderCreateCommand } from './orders-create.js';
import { addOrderListCommand } from './orders-list.js';
import { addOrderTransferCommands } from './orders-transfer.js';

export function addOrderCommands(program: Command, terminal: Terminal): void {
  const orders = program.command('orders').description('the orders of a store');
  addOrderListCommand(orders, terminal);
  addOrderCreateCommand(orders, terminal);
  addOrderChangeCommands(orders, terminal);
  addOrderTransferCommands(orders, terminal);
}
