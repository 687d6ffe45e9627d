import { type Client, type Printer, VALUES } from '#sdk';
import { isIPv6 } from 'node:net';
import { findNamed, STORE_ID, toWholeNumber } from '../lib/arguments.js';
import { checkedUrl, command, type CommandRow, confirmOrStop, REQUIRED, YES } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import type { Column } from '../lib/output.js';
import { runBridge, UnknownPrinter } from './bridge.js';

const PRINTER = ['<printer>', 'printer id or label'] as const;

export const PRINTER_ROWS: readonly CommandRow[] = [
  command('printers add', 'add a printer and show the address to enter in it', {
    takes: [STORE_ID, ['<label>', 'what staff call it']],
    flags: [
      ['--protocol <protocol>', 'how it fetches tickets', VALUES.PrinterCreate.protocol, 'cloudprnt'],
      ['--prints <what>', 'what is on its tickets', VALUES.PrinterCreate.prints],
      ['--prep-type <name...>', 'only lines with these prep_types'],
      ['--service <service...>', 'only orders with these services', VALUES.PrinterCreate.services],
      ['--on <when>', 'when a new order is printed', VALUES.PrinterCreate.on],
      ['--columns <number>', 'characters in a line: 32, 42 or 48', toWholeNumber],
      ['--copies <number>', 'how often each ticket is printed', toWholeNumber],
      ['--language <tag>', 'language of names and words'],
    ],
    run: async ({ connect, out }, { store, label, prepType, service, columns, ...given }) => {
      const client = await connect();
      const printer = await client.createPrinter(store, {
        ...given,
        label,
        prep_types: prepType,
        services: service,
        columns: columns as 32 | 42 | 48 | undefined,
      });
      out.list([printer], PRINTER_COLUMNS, '');
    },
  }),
  command('printers show', 'show a printer, its state, and how far it is behind', {
    takes: [STORE_ID, PRINTER],
    run: async ({ connect, out }, { store, printer: wanted }) => {
      const client = await connect();
      out.record(await client.getPrinter(store, (await findPrinter(client, store, wanted)).id));
    },
  }),
  command('printers test', 'print a test ticket', {
    takes: [STORE_ID, PRINTER],
    run: async ({ connect, out }, { store, printer: wanted }) => {
      const client = await connect();
      const { id, label } = await findPrinter(client, store, wanted);
      await client.testPrinter(store, id);
      out.done(`${label} prints a test ticket when it asks for the next job.`, { tested: id });
    },
  }),
  command('printers rotate', 'give a printer a new address; the old one ends at once', {
    takes: [STORE_ID, PRINTER],
    flags: [YES],
    run: async (context, { store, printer: wanted, yes }) => {
      const client = await context.connect();
      const { id, label } = await findPrinter(client, store, wanted);
      await confirmOrStop(
        context,
        `Replace the address of ${label}? It prints nothing until you enter the new one.`,
        yes,
      );
      context.out.list([await client.rotatePrinter(store, id)], PRINTER_COLUMNS, '');
    },
  }),
  command('printers remove', 'remove a printer; its address ends at once', {
    takes: [STORE_ID, PRINTER],
    flags: [YES],
    run: async (context, { store, printer: wanted, yes }) => {
      const client = await context.connect();
      const { id, label } = await findPrinter(client, store, wanted);
      await confirmOrStop(context, `Remove ${label}?`, yes);
      await client.deletePrinter(store, id);
      context.out.done(`Removed ${label}.`, { removed: id });
    },
  }),
  command('printers bridge', 'pass tickets on to an ESC/POS printer of the local network until Ctrl-C', {
    takes: [['<url>', 'address of the printer, as printers add shows it; no key is needed', checkedUrl]],
    flags: [
      ['--to <address>', 'the printer, such as 192.168.1.50:9100', toAddress, REQUIRED],
      ['--count <number>', 'stop after this many tickets', toWholeNumber],
    ],
    run: async ({ out }, { url, to, count }) => {
      await runBridge({ url, ...to, count, say: (text) => out.note(text) }).catch((error: unknown) => {
        if (error instanceof UnknownPrinter) throw new CommandFailed(EXIT.notFound, `${error.message}.`);
        throw error;
      });
    },
  }),
];

const DEFAULT_PORT = 9100;

function toAddress(text: string): { host: string; port: number } {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  const [, host = bare, port] = isIPv6(bare) ? [] : (/^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? []);
  if (host === '') throw new CommandFailed(EXIT.usage, '--to is an address, such as 192.168.1.50:9100.');
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: port === undefined ? DEFAULT_PORT : Number(port) };
}

const MOST_PRINTERS = 50;

export function readPrinters(client: Client, storeId: string): Promise<Printer[]> {
  return client.listPrinters(storeId, { limit: MOST_PRINTERS });
}

async function findPrinter(client: Client, storeId: string, wanted: string): Promise<Printer> {
  return findNamed(await readPrinters(client, storeId), wanted, 'printer');
}

export const PRINTER_COLUMNS: readonly Column<Printer>[] = [
  { title: 'LABEL', value: ({ label }) => label, shrinksTo: 8 },
  { title: 'PROTOCOL', value: ({ protocol }) => protocol },
  { title: 'PRINTS', value: ({ prints }) => prints, isExtra: true },
  { title: 'ADDRESS', value: ({ url }) => url },
  { title: 'ID', value: ({ id }) => id, isExtra: true },
];
