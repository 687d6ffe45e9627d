import { type Client, type Printer, VALUES } from '#sdk';
import { isIPv6 } from 'node:net';
import { ofStore, STORE_ID, toWholeNumber } from '../lib/arguments.js';
import { checkedUrl, command, type CommandRow, oneCall, REQUIRED } from '../lib/command.js';
import { UsageError } from '../lib/errors.js';
import type { Column } from '../lib/output.js';
import { runBridge } from './bridge.js';

const PRINTER = ofStore('printer', readPrinters);

export const PRINTER_ROWS: readonly CommandRow[] = [
  oneCall('printers add', 'add a printer and show the address to enter in it', {
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
    call: (client, { store, label, prepType, service, columns, ...given }) =>
      client.createPrinter(store, {
        ...given,
        label,
        prep_types: prepType,
        services: service,
        columns: columns as 32 | 42 | 48 | undefined,
      }),
    shows: ({ out }, printer) => out.list([printer], '', PRINTER_COLUMNS),
  }),
  oneCall('printers show', 'show a printer, its state, and how far it is behind', {
    takes: [STORE_ID, PRINTER],
    call: (client, { store, printer }) => client.getPrinter(store, printer.id),
  }),
  oneCall('printers test', 'print a test ticket', {
    takes: [STORE_ID, PRINTER],
    call: (client, { store, printer: { id } }) => client.testPrinter(store, id).then(() => ({ tested: id })),
    says: (_tested, { printer }) => `${printer.label} prints a test ticket when it asks for the next job.`,
  }),
  oneCall('printers rotate', 'give a printer a new address; the old one ends at once', {
    takes: [STORE_ID, PRINTER],
    asks: (_client, { printer }) =>
      `Replace the address of ${printer.label}? It prints nothing until you enter the new one.`,
    call: (client, { store, printer }) => client.rotatePrinter(store, printer.id),
    shows: ({ out }, printer) => out.list([printer], '', PRINTER_COLUMNS),
  }),
  oneCall('printers remove', 'remove a printer; its address ends at once', {
    takes: [STORE_ID, PRINTER],
    asks: (_client, { printer }) => `Remove ${printer.label}?`,
    call: (client, { store, printer: { id } }) =>
      client.deletePrinter(store, id).then(() => ({ removed: id })),
    says: (_removed, { printer }) => `Removed ${printer.label}.`,
  }),
  command('printers bridge', 'pass tickets on to an ESC/POS printer of the local network until Ctrl-C', {
    takes: [['<url>', 'address of the printer, as printers add shows it; no key is needed', checkedUrl]],
    flags: [
      ['--to <address>', 'the printer, such as 192.168.1.50:9100', toAddress, REQUIRED],
      ['--count <number>', 'stop after this many tickets', toWholeNumber],
    ],
    run: ({ out }, { url, to, count }) => runBridge({ url, ...to, count, say: (text) => out.note(text) }),
  }),
];

const DEFAULT_PORT = 9100;
const MOST_PORT = 65_535;

function toAddress(text: string): { host: string; port: number } {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  const [, host = bare, given] = isIPv6(bare) ? [] : (/^(.*?)(?::(\d*))?$/.exec(text) ?? []);
  const port = given === undefined ? DEFAULT_PORT : Number(given);
  if (host === '' || port < 1 || port > MOST_PORT)
    throw new UsageError('--to is an address, such as 192.168.1.50:9100.');
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
}

/** As many as a store may have. */
export function readPrinters(client: Client, storeId: string): Promise<Printer[]> {
  return client.listPrinters(storeId, { limit: 50 });
}

export const PRINTER_COLUMNS: readonly Column<Printer>[] = [
  { title: 'LABEL', value: ({ label }) => label, shrinksTo: 8 },
  { title: 'PROTOCOL', value: ({ protocol }) => protocol },
  { title: 'PRINTS', value: ({ prints }) => prints, isExtra: true },
  { title: 'ADDRESS', value: ({ url }) => url },
  { title: 'ID', value: ({ id }) => id, isExtra: true },
];
