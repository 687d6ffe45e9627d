import type { Client, StoreEventType, Webhook, WebhookDelivery, WebhookTrial } from '#sdk';
import { type Command, Option } from 'commander';
import { findStoreId, toWholeNumber, WEBHOOK, YES } from '../lib/arguments.js';
import { confirmOrStop, setAction } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { type Output, showSecret } from '../lib/output.js';
import type { Terminal } from '../lib/terminal.js';
import { typeOption } from './events.js';

export function addWebhookCommands(program: Command, terminal: Terminal): void {
  const webhooks = program.command('webhooks').description('manage webhooks');
  addChanges(webhooks, terminal);
  addWatching(webhooks, terminal);
}

interface CreateFlags {
  readonly merchant?: string;
  readonly store?: string[];
  readonly type?: StoreEventType[];
  readonly label?: string;
  readonly includeOrder?: true;
  readonly skipOwn?: true;
  readonly from?: 'now' | 'start';
}

/** False if the flag was negated. */
interface ChangeFlags {
  readonly to?: string;
  readonly store?: string[];
  readonly everyStore?: true;
  readonly type?: StoreEventType[];
  readonly everyType?: true;
  readonly label?: string | false;
  readonly includeOrder?: boolean;
  readonly skipOwn?: boolean;
}

function addChanges(webhooks: Command, terminal: Terminal): void {
  addCreation(webhooks, terminal);
  addChange(webhooks, terminal);

  addStatus('enable', 'active', 'resume sending, from where it stopped');
  addStatus('disable', 'disabled', 'stop sending until enabled again; keeps its position');

  const rotate = webhooks
    .command('rotate')
    .description('replace the secret; deliveries are signed with both secrets for 24 hours')
    .argument(...WEBHOOK);
  setAction(rotate, terminal, async ({ connect, out }, _flags, id: string) => {
    const rotated = await (await connect()).rotateWebhookSecret(id);
    showSecret(out, rotated, rotated.secret, `webhooks rotate ${id}`);
  });

  const remove = webhooks
    .command('remove')
    .description('remove a webhook')
    .argument(...WEBHOOK)
    .option(...YES);
  setAction(remove, terminal, async (context, { yes }: { yes?: boolean }, id: string) => {
    const client = await context.connect();
    const { url } = await client.getWebhook(id);
    await confirmOrStop(context, `Remove the webhook to ${url}?`, yes);
    await client.removeWebhook(id);
    context.out.done(`Removed the webhook ${id}.`, { removed: id });
  });

  function addStatus(name: string, status: 'active' | 'disabled', description: string): void {
    const command = webhooks
      .command(name)
      .description(description)
      .argument(...WEBHOOK);
    setAction(command, terminal, async ({ connect, out }, _flags, id: string) => {
      const changed = await (await connect()).changeWebhook(id, { status });
      out.done(`The webhook ${id} is ${status}.`, changed);
    });
  }
}

function addCreation(webhooks: Command, terminal: Terminal): void {
  const create = webhooks
    .command('create')
    .description('send events to an address; the signing secret is shown only once')
    .argument('<url>', 'http:// or https://')
    .option('--merchant <id>', 'merchant; required with an operator key')
    .option('--store <store...>', 'only these stores, by id or external_id (default: every store)')
    .addOption(typeOption())
    .option('--label <text>', 'what the webhook is for, such as "Till 1"')
    .option('--include-order', 'events of an order bring the order')
    .option('--skip-own', 'skip changes made with the key that creates the webhook')
    .addOption(
      new Option('--from <point>', 'first event: the next one, or the oldest kept').choices(['now', 'start']),
    );
  setAction(create, terminal, async ({ connect, out }, flags: CreateFlags, url: string) => {
    const client = await connect();
    const created = await client.createWebhook({
      url,
      merchant_id: flags.merchant,
      store_ids: await toStoreIds(client, flags.store),
      types: flags.type,
      label: flags.label,
      include_order: flags.includeOrder,
      skip_own: flags.skipOwn,
      from: flags.from,
    });
    showSecret(out, created, created.secret, `webhooks rotate ${created.id}`);
  });
}

function addChange(webhooks: Command, terminal: Terminal): void {
  const change = webhooks
    .command('change')
    .description('change a webhook; other fields stay as they are')
    .argument(...WEBHOOK)
    .option('--to <url>', 'new address')
    .option('--store <store...>', 'only these stores, by id or external_id')
    .addOption(new Option('--every-store', 'every store, including future ones').conflicts('store'))
    .addOption(typeOption())
    .addOption(new Option('--every-type', 'every type').conflicts('type'))
    .option('--label <text>', 'what the webhook is for')
    .option('--no-label', 'remove the label')
    .option('--include-order', 'events of an order bring the order')
    .option('--no-include-order', 'leave the order out of order events')
    .option('--skip-own', 'skip changes made with the key that created the webhook')
    .option('--no-skip-own', 'send those changes too');
  setAction(change, terminal, async ({ connect, out }, flags: ChangeFlags, id: string) => {
    const client = await connect();
    const changed = await client.changeWebhook(id, {
      url: flags.to,
      store_ids: flags.everyStore === true ? null : await toStoreIds(client, flags.store),
      types: flags.everyType === true ? null : flags.type,
      label: flags.label === false ? null : flags.label,
      include_order: flags.includeOrder,
      skip_own: flags.skipOwn,
    });
    out.record(changed);
  });
}

async function toStoreIds(
  client: Client,
  given: readonly string[] | undefined,
): Promise<string[] | undefined> {
  if (given === undefined) return undefined;
  const ids: string[] = [];
  for (const one of given) ids.push(await findStoreId(client, one));
  return ids;
}

function addWatching(webhooks: Command, terminal: Terminal): void {
  const list = webhooks
    .command('list')
    .description('list webhooks, including disabled ones')
    .option('--merchant <id>', 'only webhooks of this merchant');
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
    .description('show a webhook, its lag in each store, and its parked events')
    .argument(...WEBHOOK);
  setAction(show, terminal, async ({ connect, out }, _flags, id: string) => {
    out.record(await (await connect()).getWebhook(id));
  });

  const test = webhooks
    .command('test')
    .description('send a webhook.test event now; fails if the receiver rejects it')
    .argument(...WEBHOOK);
  setAction(test, terminal, async ({ connect, out }, _flags, id: string) => {
    showTrial(out, await (await connect()).testWebhook(id));
  });

  const deliveries = webhooks
    .command('deliveries')
    .description('list delivery attempts, newest first')
    .argument(...WEBHOOK)
    .option('--limit <number>', 'number of attempts (default: 100)', toWholeNumber);
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
      'No deliveries yet.',
    );
  });

  addSendingAgain(webhooks, terminal);
}

function addSendingAgain(webhooks: Command, terminal: Terminal): void {
  const replay = webhooks
    .command('replay')
    .description('send the events of a store again, from a given point')
    .argument(...WEBHOOK)
    .requiredOption('--store <store>', 'store id or external_id')
    .option(
      '--after <cursor>',
      'cursor of an event, a date-time, or now (default: before the oldest kept event)',
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
    .description('send a parked event again now; fails if the receiver rejects it')
    .argument(...WEBHOOK)
    .argument('<event>', 'event id, listed under parked by `webhooks show`');
  setAction(resend, terminal, async ({ connect, out }, _flags, id: string, event: string) => {
    showTrial(out, await (await connect()).sendParkedEvent(id, event));
  });
}

function showTrial(out: Output, trial: WebhookTrial): void {
  const came = `${outcomeOf(trial)} in ${trial.latency_ms} ms`;
  if (!trial.delivered) throw new CommandFailed(EXIT.failed, `Rejected: ${came}.`, trial);
  out.done(`Delivered: ${came}.`, trial);
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
