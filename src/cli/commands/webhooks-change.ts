import type { Client, StoreEventType } from '#sdk';
import { Option, type Command } from 'commander';
import { WEBHOOK } from '../arguments.js';
import { confirmOrStop } from '../confirm-or-stop.js';
import { typeOption } from '../event-gist.js';
import { setAction } from '../command-context.js';
import { showSecret } from '../show-secret.js';
import { findStoreId } from '../store-argument.js';
import type { Terminal } from '../terminal.js';

interface CreateFlags {
  readonly merchant?: string;
  readonly store?: string[];
  readonly type?: StoreEventType[];
  readonly label?: string;
  readonly includeOrder?: true;
  readonly skipOwn?: true;
  readonly from?: 'now' | 'start';
}

/** False where the flag was negated. */
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

export function addWebhookChangeCommands(webhooks: Command, terminal: Terminal): void {
  addCreation(webhooks, terminal);
  addChange(webhooks, terminal);

  addStatus('enable', 'active', 'send there again, from where it stood');
  addStatus('disable', 'disabled', 'send nothing there until it is enabled; it keeps its place');

  const rotate = webhooks
    .command('rotate')
    .description('replace the secret; deliveries are signed with both for 24 hours')
    .argument(...WEBHOOK);
  setAction(rotate, terminal, async ({ connect, out }, _flags, id: string) => {
    const rotated = await (await connect()).rotateWebhookSecret(id);
    showSecret(out, rotated, rotated.secret, `webhooks rotate ${id}`);
  });

  const remove = webhooks
    .command('remove')
    .description('send nothing there any more')
    .argument(...WEBHOOK)
    .option('-y, --yes', 'do not ask');
  setAction(remove, terminal, async (context, { yes }: { yes?: boolean }, id: string) => {
    const client = await context.connect();
    const { url } = await client.getWebhook(id);
    await confirmOrStop(context, `Remove the webhook to ${url}?`, yes);
    await client.removeWebhook(id);
    context.out.done(`The webhook ${id} is removed.`, { removed: id });
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
    .description('change a webhook; what is not named stays as it is')
    .argument(...WEBHOOK)
    .option('--to <url>', 'send to this address instead')
    .option('--store <store...>', 'only these stores: id or external_id')
    .addOption(new Option('--every-store', 'every store, also those to come').conflicts('store'))
    .addOption(typeOption())
    .addOption(new Option('--every-type', 'every type').conflicts('type'))
    .option('--label <text>', 'what it is for')
    .option('--no-label', 'take the label away')
    .option('--include-order', 'events of an order bring the order')
    .option('--no-include-order', 'they do not')
    .option('--skip-own', 'leave out what is done with the key that made the webhook')
    .option('--no-skip-own', 'tell of that too');
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
