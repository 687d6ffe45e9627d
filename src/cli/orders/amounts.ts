import { VALUES } from '#sdk';
import { ORDER, STORE_ID, toMinor } from '../lib/arguments.js';
import { command, type CommandRow, confirmOrStop, YES } from '../lib/command.js';
import { CommandFailed, EXIT, UsageError } from '../lib/errors.js';
import { nearestTo } from '../../support/did-you-mean.js';
import { toMoney } from '../../support/minor-units.js';
import { counted } from '../lib/text.js';
import { chooseBasket } from './intake.js';
import { PLACE } from './places.js';
import { showOrder } from './ticket.js';

/** What an order comes to, once it is there: its lines changed, its payments, the bill of a table. */
export const ORDER_AMOUNT_ROWS: readonly CommandRow[] = [
  command('orders amend', 'change what was ordered, until the order is final', {
    takes: [ORDER],
    flags: [
      ['--remove <item...>', 'external_ids of lines to take off'],
      ['--quantity <item...>', 'external_id=2 makes it two, =0 takes it off'],
      ['--add <item...>', 'external_id, or external_id=2; required modifiers are chosen for you'],
      ['--tip <amount>', 'the tip, such as 1.50'],
      ['--reason <reason>', 'why; the guest sees it', VALUES.OrderPatch.reason],
      ['--text <text>', 'the reason in words'],
    ],
    run: async (context, { order: id, remove = [], quantity = [], add = [], tip, reason, text }) => {
      const { client } = context;
      const order = await client.getManagedOrder(id);
      const { currency } = await client.getManagedStore(order.store.id);
      const quantities = readQuantities(quantity);
      const present = order.items.map(({ external_id: own }) => String(own));
      for (const wanted of [...remove, ...quantities.keys()]) requireLine(wanted, present);
      const items = [
        ...order.items.flatMap((line) => {
          const own = String(line['external_id']);
          const count = remove.includes(own) ? 0 : quantities.get(own);
          return count === 0 ? [] : [count === undefined ? line : { ...line, quantity: count }];
        }),
        ...(add.length === 0 ? [] : (await chooseBasket(client, order.store.id, add)).items),
      ];
      const isOther = remove.length + quantity.length + add.length > 0;
      if (!isOther && tip === undefined) throw new UsageError('Say what to change.');
      const changed = await client.changeOrder(id, {
        ...(isOther ? { items, expected_revision: order.revision } : {}),
        ...(tip === undefined ? {} : { tip: toMinor(tip, currency) }),
        reason,
        reason_text: text,
      });
      await showOrder(context, changed);
    },
  }),
  command('orders pay', 'record a payment; no money is moved', {
    takes: [ORDER, ['[amount]', 'such as 12.50; a refund is negative (default: what is due)']],
    flags: [
      ['--method <name>', 'how it was paid', VALUES.PaymentRequest.method, 'card'],
      ['--reference <text>', 'such as the number on the receipt'],
      ['--external-id <text>', 'your own id for the payment; repeating it never records a second one'],
    ],
    allowsUnknown: true,
    run: async ({ client, out }, { order: id, amount, method, reference, externalId }) => {
      const order = await client.getManagedOrder(id);
      const { currency } = await client.getManagedStore(order.store.id);
      const wanted = amount === undefined ? order.due : toMinor(amount, currency);
      if (wanted === 0) return out.done('Nothing is due.', order);
      const paid = await client.addPayment(id, {
        method,
        amount: wanted,
        reference,
        external_id: externalId,
      });
      out.done(`${toMoney(paid.due, currency)} due.`, paid);
    },
  }),
  command('places bill', 'show what the orders of a table owe', {
    takes: [STORE_ID, PLACE],
    flags: [['--settle <method>', 'record that all of it was paid', VALUES.SettleRequest.method], YES],
    run: async (context, { store, place: { id, label }, settle, yes }) => {
      const { client } = context;
      const { currency } = await client.getManagedStore(store);
      const bill = await client.getBill(store, id);
      const due = toMoney(bill.due, currency);
      if (settle !== undefined) {
        if (bill.orders.length === 0) return context.out.done('Nothing is due.', bill);
        await confirmOrStop(context, `Record that ${due} of ${label} was paid?`, yes);
        const settled = await client.settleBill(store, id, { method: settle, expected_due: bill.due });
        const paid = counted(settled.orders.length, 'order');
        return context.out.done(`${label}: ${paid} paid, ${due}.`, settled);
      }
      context.out.listOf(bill, bill.orders, 'Nothing is due.', [
        { title: 'NUMBER', value: ({ number }) => String(number ?? '') },
        { title: 'STATUS', value: ({ status }) => status },
        { title: 'TOTAL', value: ({ price, tax, tip = 0 }) => toMoney(price + tax + tip, currency) },
        { title: 'DUE', value: (order) => toMoney(order.due, currency) },
        { title: 'ID', value: (order) => order.id, isExtra: true },
      ]);
      if (bill.orders.length > 0) context.out.note(`${due} due.`);
    },
  }),
];

function readQuantities(wanted: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    wanted.map((text) => {
      const [, id, count] = /^(.+)=(\d{1,5})$/.exec(text) ?? [];
      if (id === undefined) throw new UsageError(`--quantity ${text} is not like latte=2.`);
      return [id, Number(count)];
    }),
  );
}

/** A slip must not pass for a change that was made. */
function requireLine(id: string, present: readonly string[]): void {
  if (present.includes(id)) return;
  const near = nearestTo(id, present);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new CommandFailed(EXIT.notFound, `The order has no line ${id}.${hint}`);
}
