import type { EraseRequest } from '#sdk';
import { findStoreId, NDJSON_OUTPUT, ONLY_STORES } from '../lib/arguments.js';
import { command, type CommandRow, confirmOrStop, YES } from '../lib/command.js';
import { UsageError } from '../lib/errors.js';
import { counted } from '../lib/text.js';
import { download } from '../lib/transfer.js';

const PHONE = 'phone number; compared by its digits, all of them';

export const CUSTOMER_ROWS: readonly CommandRow[] = [
  command('customers erase', 'erase name, phone, comments and notes of orders; items and prices stay', {
    flags: [
      ['--phone <number>', PHONE],
      ['--order <order...>', 'instead of a phone number: these orders'],
      ['--store <store...>', ONLY_STORES[1]],
      ['--dry-run', 'only count what would be erased'],
      YES,
    ],
    run: async (context, { phone, order, store, dryRun, yes }) => {
      if ((phone === undefined) === (order === undefined))
        throw new UsageError('State either --phone or --order.');
      const { client } = context;
      const ids = store && (await Promise.all(store.map((one) => findStoreId(client, one))));
      const request: EraseRequest = { phone, order_ids: order, store_ids: ids };
      const found = await client.eraseCustomers({ ...request, dry_run: true });
      const what = `the customer of ${counted(found.orders, 'order')} in ${counted(found.stores.length, 'store')}`;
      if (dryRun === true) return context.out.done(`Would erase ${what}.`, found);
      if (found.orders > 0) await confirmOrStop(context, `Erase ${what}? This cannot be undone.`, yes);
      const report = await client.eraseCustomers(request);
      context.out.done(`Erased the customer of ${counted(report.orders, 'order')}.`, report);
    },
  }),
  command('customers export', 'export every order of a customer with its history, one JSON object per line', {
    takes: [['<phone>', PHONE]],
    flags: [ONLY_STORES, NDJSON_OUTPUT],
    run: async ({ client, out, terminal }, { phone, store, output }) => {
      const { bytes } = await client.exportCustomer({ phone, store_ids: store?.join() });
      const orders = await download(terminal, bytes, { output });
      if (output !== undefined) out.done(`Wrote ${orders} orders to ${output}.`, { orders, file: output });
    },
  }),
];
