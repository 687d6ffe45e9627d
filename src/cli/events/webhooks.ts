import { VALUES, type Webhook, type WebhookDelivery, type WebhookTrial } from '#sdk';
import { OF_MERCHANT, ONLY_STORES, STORE_ID, toWholeNumber, TYPES, WEBHOOK } from '../lib/arguments.js';
import { type CommandContext, type CommandRow, listing, oneCall, REQUIRED } from '../lib/command.js';
import { CommandFailed, EXIT, UsageError } from '../lib/errors.js';
import { showSecret } from '../lib/output.js';
import { counted } from '../lib/text.js';

export const WEBHOOK_ROWS: readonly CommandRow[] = [
  listing('webhooks list', 'list webhooks, including disabled ones', {
    flags: [OF_MERCHANT],
    call: (client, { merchant }) => client.iterateWebhooks({ merchant_id: merchant }),
    columns: () => [
      { title: 'ID', value: ({ id }) => id },
      { title: 'STATE', value: webhookState },
      { title: 'URL', value: ({ url }) => url, shrinksTo: 20 },
      { title: 'LABEL', value: ({ label }) => label, shrinksTo: 10 },
      { title: 'LAST TAKEN', value: (webhook) => webhook.last_success_at, isExtra: true },
      { title: 'TYPES', value: ({ types }) => types?.join(', ') ?? 'all', shrinksTo: 10, isExtra: true },
    ],
    nothing: 'No webhooks.',
  }),
  oneCall('webhooks show', 'show a webhook, its lag in each store, and its parked events', {
    takes: [WEBHOOK],
    call: (client, { webhook }) => client.getWebhook(webhook),
  }),
  oneCall('webhooks create', 'send events to an address; the signing secret is shown only once', {
    takes: [['<url>', 'http:// or https://']],
    flags: [
      ['--merchant <id>', 'merchant; required with an operator key'],
      ONLY_STORES,
      TYPES,
      ['--label <text>', 'what the webhook is for, such as "Till 1"'],
      ['--include-order', 'events of an order bring the order'],
      ['--skip-own', 'skip changes made with the key that creates the webhook'],
      ['--from <point>', 'first event: the next one, or the oldest kept', VALUES.WebhookCreate.from],
    ],
    call: (client, { url, merchant, store, type, label, includeOrder, skipOwn, from }) =>
      client.createWebhook({
        url,
        merchant_id: merchant,
        store_ids: store,
        types: type,
        label,
        include_order: includeOrder,
        skip_own: skipOwn,
        from,
      }),
    shows: ({ out }, made) => showSecret(out, made, made.secret, `webhooks rotate ${made.id}`),
  }),
  oneCall('webhooks change', 'change a webhook; other fields stay as they are', {
    takes: [WEBHOOK],
    flags: [
      ['--to <url>', 'new address'],
      ONLY_STORES,
      ['--every-store', 'every store, including future ones'],
      TYPES,
      ['--every-type', 'every type'],
      ['--label <text>', 'what the webhook is for'],
      ['--no-label', 'remove the label'],
      ['--include-order', 'events of an order bring the order'],
      ['--no-include-order', 'leave the order out of order events'],
      ['--skip-own', 'skip changes made with the key that created the webhook'],
      ['--no-skip-own', 'send those changes too'],
    ],
    call: (client, given) =>
      client.changeWebhook(given.webhook, {
        url: given.to,
        store_ids: allOr(given.everyStore, given.store, '--store and --every-store'),
        types: allOr(given.everyType, given.type, '--type and --every-type'),
        label: given.label === false ? null : given.label,
        include_order: given.includeOrder,
        skip_own: given.skipOwn,
      }),
  }),
  webhookStatus('enable', 'active', 'resume sending, from where it stopped'),
  webhookStatus('disable', 'disabled', 'stop sending until enabled again; keeps its position'),
  oneCall('webhooks rotate', 'replace the secret; deliveries are signed with both secrets for 24 hours', {
    takes: [WEBHOOK],
    call: (client, { webhook }) => client.rotateWebhookSecret(webhook),
    shows: ({ out }, made, { webhook }) => showSecret(out, made, made.secret, `webhooks rotate ${webhook}`),
  }),
  oneCall('webhooks remove', 'remove a webhook', {
    takes: [WEBHOOK],
    asks: async (client, { webhook }) => `Remove the webhook to ${(await client.getWebhook(webhook)).url}?`,
    call: (client, { webhook: removed }) => client.removeWebhook(removed).then(() => ({ removed })),
    says: ({ removed }) => `Removed the webhook ${removed}.`,
  }),
  oneCall('webhooks test', 'send a webhook.test event now; fails if the receiver rejects it', {
    takes: [WEBHOOK],
    call: (client, { webhook }) => client.testWebhook(webhook),
    shows: showTrial,
  }),
  listing('webhooks deliveries', 'list delivery attempts, newest first', {
    takes: [WEBHOOK],
    flags: [['--limit <number>', 'number of attempts (default: 100)', toWholeNumber]],
    call: (client, { webhook, limit }) => client.listWebhookDeliveries(webhook, { limit }),
    columns: () => [
      { title: 'AT', value: ({ at }) => at },
      { title: 'TYPE', value: ({ type }) => type },
      { title: 'OUTCOME', value: outcomeOf },
      { title: 'ATTEMPT', value: ({ attempt }) => String(attempt) },
      { title: 'MS', value: (delivery) => String(delivery.latency_ms) },
      { title: 'NUMBER', value: ({ sequence }) => sequence?.toString(), isExtra: true },
      { title: 'EVENT', value: (delivery) => delivery.event_id, isExtra: true },
      { title: 'ANSWER', value: ({ response }) => response, shrinksTo: 10, isExtra: true },
    ],
    nothing: 'No deliveries yet.',
  }),
  oneCall('webhooks replay', 'send the events of a store again, from a given point', {
    takes: [WEBHOOK],
    flags: [
      ['--store <store>', 'store id or external_id', STORE_ID[2], REQUIRED],
      ['--after <cursor>', 'cursor of an event, a date-time, or now (default: before the oldest kept event)'],
    ],
    call: (client, { webhook, store, after }) => client.replayWebhook(webhook, { store_id: store, after }),
    says: ({ behind }) => `${counted(behind, 'event')} will be sent.`,
  }),
  oneCall('webhooks resend', 'send a parked event again now; fails if the receiver rejects it', {
    takes: [WEBHOOK, ['<event>', 'event id, listed under parked by `webhooks show`']],
    call: (client, { webhook, event }) => client.sendParkedEvent(webhook, event),
    shows: showTrial,
  }),
];

/** Null for all of them. */
function allOr<T>(all: true | undefined, some: T, names: string): T | null {
  if (all === true && some !== undefined) throw new UsageError(`${names} exclude each other.`);
  return all === true ? null : some;
}

function webhookStatus(name: string, status: 'active' | 'disabled', about: string): CommandRow {
  return oneCall(`webhooks ${name}`, about, {
    takes: [WEBHOOK],
    call: (client, { webhook }) => client.changeWebhook(webhook, { status }),
    says: (_changed, { webhook }) => `The webhook ${webhook} is ${status}.`,
  });
}

function webhookState({ status, disabled_reason: reason }: Webhook): string {
  return reason === undefined ? status : `${status}: ${reason}`;
}

function outcomeOf({ status, error }: Pick<WebhookDelivery, 'status' | 'error'>): string {
  return [status, error].filter((part) => part !== undefined).join(' ');
}

function showTrial({ out }: CommandContext, trial: WebhookTrial): void {
  const came = `${outcomeOf(trial)} in ${trial.latency_ms} ms`;
  if (!trial.delivered) throw new CommandFailed(EXIT.failed, `Rejected: ${came}.`, trial);
  out.done(`Delivered: ${came}.`, trial);
}
