import type { Webhook, WebhookDelivery, WebhookTrial } from '#sdk';
import type { Command } from 'commander';
import { toWholeNumber, WEBHOOK } from '../arguments.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import type { Output } from '../output.js';
import { setAction } from '../command-context.js';
import { findStoreId } from '../store-argument.js';
import type { Terminal } from '../terminal.js';

export function addWebhookWatchCommands(webhooks: Command, terminal: Terminal): void {
  const list = webhooks
    .command('list')
    .description('list webhooks, also those that are disabled')
    .option('--merchant <id>', 'only those of one merchant');
  setAction(list, terminal, async ({ connect, out }, { merchant }: { merchant?: string }) => {
    await out.listAll(
      (await connect()).iterateWebhooks({ merchant_id: merchant }),
      [
        { title: 'ID', value: ({ id }) => id },
        { title: 'STATE', value: stateOf },
        { title: 'URL', value: ({ url }) => url, shrinksTo: 20 },
        { title: 'LABEL', value: ({ label }) => label, shrinksTo: 10 },
        { title: 'LAST TAKEN', value: (webhook) => webhook.last_success_at, isExtra: true },
        { title: 'TYPES', value: ({ types }) => types?.join(', ') ?? 'all', shrinksTo: 10, isExtra: true },
      ],
      'No webhooks.',
    );
  });

  const show = webhooks
    .command('show')
    .description('a webhook, how far it is behind in each store, and what it has refused')
    .argument(...WEBHOOK);
  setAction(show, terminal, async ({ connect, out }, _flags, id: string) => {
    out.record(await (await connect()).getWebhook(id));
  });

  const test = webhooks
    .command('test')
    .description('send a webhook.test at once; fails when it is not taken')
    .argument(...WEBHOOK);
  setAction(test, terminal, async ({ connect, out }, _flags, id: string) => {
    showTrial(out, await (await connect()).testWebhook(id));
  });

  const deliveries = webhooks
    .command('deliveries')
    .description('what was sent to a webhook, newest first')
    .argument(...WEBHOOK)
    .option('--limit <number>', 'at most so many; 100 unless told', toWholeNumber);
  setAction(deliveries, terminal, async ({ connect, out }, { limit }: { limit?: number }, id: string) => {
    out.list(
      await (await connect()).listWebhookDeliveries(id, { limit }),
      [
        { title: 'AT', value: ({ at }) => at },
        { title: 'TYPE', value: ({ type }) => type },
        { title: 'OUTCOME', value: outcomeOf },
        { title: 'ATTEMPT', value: ({ attempt }) => String(attempt) },
        { title: 'MS', value: (delivery) => String(delivery.latency_ms) },
        {
          title: 'NUMBER',
          value: ({ sequence }) => (sequence === undefined ? '' : String(sequence)),
          isExtra: true,
        },
        { title: 'EVENT', value: (delivery) => delivery.event_id, isExtra: true },
        { title: 'ANSWER', value: ({ response }) => response, shrinksTo: 10, isExtra: true },
      ],
      'Nothing was sent yet.',
    );
  });

  addSendingAgain(webhooks, terminal);
}

function addSendingAgain(webhooks: Command, terminal: Terminal): void {
  const replay = webhooks
    .command('replay')
    .description('send the events of a store again, from a point on')
    .argument(...WEBHOOK)
    .requiredOption('--store <store>', 'its id or external_id')
    .option(
      '--after <cursor>',
      'the cursor of an event, a moment, or now; the oldest that is kept unless told',
    );
  type ReplayFlags = { readonly store: string; readonly after?: string };
  setAction(replay, terminal, async ({ connect, out }, flags: ReplayFlags, id: string) => {
    const client = await connect();
    const storeId = await findStoreId(client, flags.store);
    const lag = await client.replayWebhook(id, { store_id: storeId, after: flags.after });
    out.done(`${countOf(lag.behind, 'event')} will be sent.`, lag);
  });

  const resend = webhooks
    .command('resend')
    .description('send a parked event again, at once; fails when it is not taken')
    .argument(...WEBHOOK)
    .argument('<event>', 'the id of the event, as `webhooks show` lists it under parked');
  setAction(resend, terminal, async ({ connect, out }, _flags, id: string, event: string) => {
    showTrial(out, await (await connect()).sendParkedEvent(id, event));
  });
}

function showTrial(out: Output, trial: WebhookTrial): void {
  const came = `${outcomeOf(trial)} in ${trial.latency_ms} ms`;
  if (!trial.delivered) throw new CommandFailed(EXIT.failed, `It was not taken: ${came}.`, trial);
  out.done(`It was taken: ${came}.`, trial);
}

function stateOf({ status, disabled_reason: reason }: Webhook): string {
  return reason === undefined ? status : `${status}: ${reason}`;
}

function outcomeOf({ status, error }: Pick<WebhookDelivery, 'status' | 'error'>): string {
  return [status === undefined ? '' : String(status), error ?? ''].filter((part) => part !== '').join(' ');
}

function countOf(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}
