import type { Command } from 'commander';
import type { Terminal } from '../terminal.js';
import { addWebhookChangeCommands } from './webhooks-change.js';
import { addWebhookWatchCommands } from './webhooks-watch.js';

export function addWebhookCommands(program: Command, terminal: Terminal): void {
  const webhooks = program.command('webhooks').description('addresses that are sent the events of stores');
  addWebhookChangeCommands(webhooks, terminal);
  addWebhookWatchCommands(webhooks, terminal);
}
