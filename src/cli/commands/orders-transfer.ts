import type { Fault, ImportReport } from '#sdk';
import type { Command } from 'commander';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { describeFaults } from '../describe-faults.js';
import { toPlain } from '../plain-text.js';
import { setAction } from '../command-context.js';
import { findStoreId } from '../store-argument.js';
import { writeLine, type Terminal } from '../terminal.js';
import { download, upload } from '../transfer.js';

export function addOrderTransferCommands(orders: Command, terminal: Terminal): void {
  const take = orders
    .command('import')
    .description('take in orders, one JSON document a line')
    .argument('<file>', '.ndjson, or .ndjson.gz; - is the standard input');
  setAction(take, terminal, async ({ connect, out }, _flags, path: string) => {
    const client = await connect();
    const report = await upload(terminal, path, client.importOrders);
    const { created, existing, refused } = report;
    out.done(`${created} created, ${existing} there already, ${refused} refused.`, report);
    if (refused > 0) throw refusedLines(terminal, path, report);
  });

  const give = orders
    .command('export')
    .description('write all orders of a store, oldest first, in the form that import takes')
    .argument('<store>', 'its id or external_id')
    .option('-o, --output <file>', 'a file; .gz is compressed. The standard output unless told');
  setAction(give, terminal, async ({ connect, out }, { output }: { output?: string }, given: string) => {
    const client = await connect();
    const storeId = await findStoreId(client, given);
    const { count } = await client.listOrders(storeId, { page_size: 1 });
    const { bytes } = await client.exportOrders(storeId);
    const orders = await download(terminal, bytes, { output, total: count });
    if (output !== undefined) out.done(`Wrote ${orders} orders to ${output}.`, { orders, file: output });
  });
}

function refusedLines(terminal: Terminal, path: string, { refused, errors }: ImportReport): CommandFailed {
  const name = path === '-' ? 'line ' : `${path}:`;
  for (const { line, detail } of errors) {
    const reasons = Array.isArray(detail)
      ? describeFaults(terminal, detail as Fault[])
      : [toPlain(String(detail))];
    writeLine(terminal.stderr, `${name}${line}: ${reasons.join('; ')}`);
  }
  const more = refused - errors.length;
  const rest = more > 0 ? ` The first ${errors.length} are shown.` : '';
  const lines = refused === 1 ? '1 line was' : `${refused} lines were`;
  return new CommandFailed(EXIT.refused, `${lines} refused; the others are in.${rest}`);
}
