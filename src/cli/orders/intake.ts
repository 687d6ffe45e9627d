import {
  type Client,
  type ErrorDetail,
  type ImportReport,
  type ManagedOrder,
  type MenuAvailability,
  type OrderRequest,
  VALUES,
} from '#sdk';
import { showOrder } from './ticket.js';
import { nearestTo } from '../../support/did-you-mean.js';
import {
  findStore,
  findStoreId,
  NDJSON_OUTPUT,
  STORE_TEXT,
  toMinor,
  toWholeNumber,
} from '../lib/arguments.js';
import { type Basket, type Choice, componentsOf, itemsOf, toBasket } from '../lib/basket.js';
import { command, type CommandRow, type Given } from '../lib/command.js';
import { describeErrors, readDocument, sendDocument } from '../lib/documents.js';
import { CommandFailed, EXIT, UsageError } from '../lib/errors.js';
import { toMoment } from '../lib/locale.js';
import { type Terminal, writeLine } from '../lib/terminal.js';
import { ifGiven, toPlain } from '../lib/text.js';
import { download, upload } from '../lib/transfer.js';

const CREATE_FLAGS = [
  ['--customer <name>', 'customer name', undefined, 'Guest'],
  ['--phone <number>', 'customer phone number', undefined, '+1 555 0100'],
  ['--ready-in <minutes>', 'minutes until it should be ready', toWholeNumber, 20],
  ['--comment <text>', 'comment of the customer'],
  ['--service <name>', 'how it leaves the kitchen', VALUES.OrderRequest.service],
  ['--charge <kind=amount...>', 'such as delivery=2.50; added to the price'],
  ['--tip <amount>', 'such as 1.50'],
  ['--external-id <text>', 'your own id for the order; repeating it never creates a second order'],
  ['--file <path>', 'JSON or YAML file with the whole order; - for standard input'],
] as const;

export const ORDER_INTAKE_ROWS: readonly CommandRow[] = [
  command('orders create', 'create an order from menu items or from a file', {
    takes: [
      STORE_TEXT,
      ['[item...]', 'external_id, or external_id=2 for two; required modifiers are chosen for you'],
    ],
    flags: CREATE_FLAGS,
    run: async (context, { store, item: wanted, ...flags }) => {
      if ((flags.file === undefined) === (wanted.length === 0))
        throw new UsageError('Name menu items, or a file with --file.');
      const { client } = context;
      const storeId = await findStoreId(client, store);
      if (flags.file !== undefined) {
        const document = await readDocument(context.terminal, flags.file);
        const headers = { 'idempotency-key': crypto.randomUUID() };
        const path = `/manage/v1/stores/${storeId}/orders`;
        const { body } = await sendDocument(context, path, document, headers);
        return showOrder(context, body as ManagedOrder);
      }
      const basket = await chooseBasket(client, storeId, wanted);
      const { currency } = await client.getManagedStore(storeId);
      const order = toOrder(flags, basket, currency);
      await showOrder(context, await client.takeInOrder(storeId, order));
    },
  }),
  command('orders import', 'import orders, one JSON object per line', {
    takes: [['<file>', '.ndjson or .ndjson.gz file; - for standard input']],
    run: async ({ client, out, terminal }, { file }) => {
      const report = await upload(terminal, file, client.importOrders);
      const { created, existing, refused } = report;
      out.done(`${created} created, ${existing} there already, ${refused} refused.`, report);
      if (refused > 0) throw refusedLines(terminal, file, report);
    },
  }),
  command('orders export', 'export all orders of a store, oldest first, in the format that import reads', {
    takes: [STORE_TEXT],
    flags: [
      ['--before <moment>', 'only final orders completed before: a date, a date-time, 30d, today'],
      NDJSON_OUTPUT,
    ],
    run: async ({ client, out, terminal }, { store, before, output }) => {
      const id = await findStoreId(client, store);
      const completedBefore =
        before === undefined ? undefined : toMoment(before, (await findStore(client, store)).timezone);
      const { bytes } = await client.exportOrders(id, { completed_before: completedBefore });
      const orders = await download(terminal, bytes, { output });
      if (output !== undefined) out.done(`Wrote ${orders} orders to ${output}.`, { orders, file: output });
    },
  }),
];

function toOrder(
  flags: Given<[], typeof CREATE_FLAGS>,
  basket: Basket,
  currency: string | undefined,
): OrderRequest {
  const charges = flags.charge?.map((text) => toCharge(text, currency));
  return {
    ...basket,
    price: (charges ?? []).reduce((sum, { price }) => sum + price, basket.price),
    service: flags.service,
    charges,
    tip: ifGiven(flags.tip, (text) => toMinor(text, currency)),
    customer: { name: flags.customer, phone: flags.phone },
    ready_by: new Date(Date.now() + flags.readyIn * 60_000).toISOString(),
    customer_comments: flags.comment,
    external_id: flags.externalId,
  };
}

type Charge = NonNullable<OrderRequest['charges']>[number];
const CHARGES = ['delivery', 'service', 'packaging', 'small_order', 'deposit', 'other'] as const;

function toCharge(text: string, currency: string | undefined): Charge {
  const [, given = '', amount = ''] = /^([a-z_]+)=(.+)$/.exec(text) ?? [];
  const kind = CHARGES.find((one) => one === given);
  if (kind === undefined)
    throw new UsageError(`--charge ${text} is not like delivery=2.50. Kinds: ${CHARGES.join(', ')}.`);
  return { kind, name: kind, price: toMinor(amount, currency), tax: 0 };
}

const REASONS = {
  outside_hours: 'no menu with it is open',
  out_of_stock: 'it is sold out',
  not_sold_separately: 'it is not sold separately',
  modifiers_unavailable: 'its required modifiers are sold out',
} as const;

/** The lines for what was named, with the modifiers that they need. */
export async function chooseBasket(
  client: Client,
  storeId: string,
  wanted: readonly string[],
): Promise<Basket> {
  const choices = chooseItems(await client.getAvailableMenu(storeId), wanted);
  return toBasket(choices, componentsOf(await client.getMenuConfigurationFlat(storeId)));
}

function chooseItems(
  { menu_configuration: menus, left_out }: MenuAvailability,
  wanted: readonly string[],
): Choice[] {
  const items = itemsOf(menus);
  return wanted.map((text) => {
    const [, id = text, count] = /^(.+)=(\d{1,4})$/.exec(text) ?? [];
    const item = items.get(text) ?? items.get(id);
    if (item !== undefined) return { item, quantity: items.has(text) ? 1 : Number(count ?? 1) };
    const missing = left_out.find(({ kind, external_id }) => kind === 'item' && external_id === id);
    if (missing !== undefined)
      throw new CommandFailed(EXIT.conflict, `${id} cannot be ordered now: ${REASONS[missing.reason]}.`);
    const near = nearestTo(id, items.keys());
    const hint = near === undefined ? 'See: comanda menu available' : `Did you mean ${near}?`;
    throw new CommandFailed(EXIT.notFound, `No item ${id} can be ordered now. ${hint}`);
  });
}

function refusedLines(terminal: Terminal, path: string, { refused, errors }: ImportReport): CommandFailed {
  const name = path === '-' ? 'line ' : `${path}:`;
  for (const { line, detail } of errors) {
    const reasons = Array.isArray(detail)
      ? describeErrors(terminal, detail as ErrorDetail[])
      : [toPlain(String(detail))];
    writeLine(terminal.stderr, `${name}${line}: ${reasons.join('; ')}`);
  }
  const more = refused - errors.length;
  const rest = more > 0 ? ` Showing the first ${errors.length}.` : '';
  const lines = refused === 1 ? '1 line was' : `${refused} lines were`;
  return new CommandFailed(EXIT.refused, `${lines} rejected; the others were imported.${rest}`);
}
