import type { StoreEventType, Webhook, WebhookDelivery } from '#sdk';
import { Option, type Command } from 'commander';
import { isUuid, toWholeNumber } from '../arguments.js';
import { confirmOrStop } from '../ask.js';
import { typeOption } from '../event-gist.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { perform } from '../session.js';
import { findStoreId } from '../store-argument.js';
import type { Terminal } from '../terminal.js';

const WEBHOOK = ['<webhook>', 'the id of the webhook', webhookId] as const;
const SHOWN_ONCE = 'Keep the secret now: it is shown this once.';

interface WebhookFlags {
  readonly merchant?: string;
  readonly store?: string[];
  readonly type?: StoreEventType[];
  readonly label?: string;
  readonly includeOrder?: true;
  readonly skipOwn?: true;
  readonly from?: 'now' | 'start';
}

export function addWebhookCommands(program: Command, terminal: Terminal): void {
  const webhooks = program.command('webhooks').description('addresses that are sent the events of stores');
  addWritingCommands(webhooks, terminal);
  addWatchingCommands(webhooks, terminal);
}

function addWritingCommands(webhooks: Command, terminal: Terminal): void {
  const create = webhooks
    .command('create')
    .description('have events sent to an address; the secret they are signed with is shown this once')
    .argument('<url>', 'http:// or https://')
    .option('--merchant <id>', 'whose; an operator key has to say')
    .option('--store <store...>', 'only these stores: id or external_id; every one unless told')
    .addOption(typeOption())
    .option('--label <text>', 'what it is for, such as "Till 1"')
    .option('--include-order', 'events of an order bring the order')
    .option('--skip-own', 'leave out what is done with the key that makes the webhook')
    .addOption(
      new Option('--from <point>', 'the first event: the next, or the oldest kept').choices(['now', 'start']),
    );
  perform(create, terminal, async ({ connect, out }, flags: WebhookFlags, url: string) => {
    const client = await connect();
    const storeIds: string[] = [];
    for (const given of flags.store ?? []) storeIds.push(await findStoreId(client, given));
    const created = await client.createWebhook({
      url,
      merchant_id: flags.merchant,
      store_ids: flags.store === undefined ? undefined : storeIds,
      types: flags.type,
      label: flags.label,
      include_order: flags.includeOrder,
      skip_own: flags.skipOwn,
      from: flags.from,
    });
    out.record(created);
    out.note(SHOWN_ONCE);
  });

  const rotate = webhooks
    .command('rotate')
    .description('replace the secret; deliveries are signed with both for 24 hours')
    .argument(...WEBHOOK);
  perform(rotate, terminal, async ({ connect, out }, _flags, id: string) => {
    out.record(await (await connect()).rotateWebhookSecret(id));
    out.note(SHOWN_ONCE);
  });

  const remove = webhooks
    .command('remove')
    .description('send nothing there any more')
    .argument(...WEBHOOK)
    .option('-y, --yes', 'do not ask');
  perform(remove, terminal, async (session, { yes }: { yes?: boolean }, id: string) => {
    const client = await session.connect();
    const { url } = await client.getWebhook(id);
    await confirmOrStop(session, `Remove the webhook to ${url}?`, yes);
    await client.removeWebhook(id);
    session.out.done(`The webhook ${id} is removed.`, { removed: id });
  });

  const replay = webhooks
    .command('replay')
    .description('send the events of a store again, from a point on')
    .argument(...WEBHOOK)
    .requiredOption('--store <store>', 'its id or external_id')
    .option('--after <cursor>', 'the cursor of an event, or now; the oldest that is kept unless told');
  type ReplayFlags = { readonly store: string; readonly after?: string };
  perform(replay, terminal, async ({ connect, out }, flags: ReplayFlags, id: string) => {
    const client = await connect();
    const storeId = await findStoreId(client, flags.store);
    const lag = await client.replayWebhook(id, { store_id: storeId, after: flags.after });
    out.done(`${countOf(lag.behind, 'event')} will be sent.`, lag);
  });
}

function addWatchingCommands(webhooks: Command, terminal: Terminal): void {
  const list = webhooks
    .command('list')
    .description('list webhooks, also those that are disabled')
    .option('--merchant <id>', 'only those of one merchant');
  perform(list, terminal, async ({ connect, out }, { merchant }: { merchant?: string }) => {
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
  perform(show, terminal, async ({ connect, out }, _flags, id: string) => {
    out.record(await (await connect()).getWebhook(id));
  });

  const test = webhooks
    .command('test')
    .description('send a webhook.test at once; fails when it is not taken')
    .argument(...WEBHOOK);
  perform(test, terminal, async ({ connect, out }, _flags, id: string) => {
    const trial = await (await connect()).testWebhook(id);
    const came = `${outcomeOf(trial)} in ${trial.latency_ms} ms`;
    if (!trial.delivered) throw new CommandFailed(EXIT.failed, `It was not taken: ${came}.`, trial);
    out.done(`It was taken: ${came}.`, trial);
  });

  const deliveries = webhooks
    .command('deliveries')
    .description('what was sent to a webhook, newest first')
    .argument(...WEBHOOK)
    .option('--limit <number>', 'at most so many; 100 unless told', toWholeNumber);
  perform(deliveries, terminal, async ({ connect, out }, { limit }: { limit?: number }, id: string) => {
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
}

function webhookId(given: string): string {
  if (isUuid(given)) return given;
  throw new CommandFailed(EXIT.usage, 'A webhook is named by its id. See: comanda webhooks list');
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
