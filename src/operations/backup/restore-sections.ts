import { BACKUP_TABLES } from '../../db/backup-tables.js';
import type { EmptyInstallation } from '../../db/restore.js';
import { readSection, refuseArchive } from '../../domain/backup/archive.js';
import { errorCode } from '../../domain/errors.js';
import { searchedOrder } from '../../domain/order/new-order.js';

/** Writes the rows of an archive table by table, some at a time. */
export interface Sections {
  open(line: Uint8Array, number: number): Promise<void>;
  add(line: Uint8Array, number: number): Promise<void> | undefined;
  flush(): Promise<void>;
  /** How many rows each table has had so far. */
  rows(): Record<string, number>;
}

interface Section {
  readonly table: string;
  readonly place: number;
  readonly columns: readonly string[];
}

const ROWS_AT_ONCE = 1_000;
const BYTES_AT_ONCE = 4_000_000;

export function createSections(installation: EmptyInstallation): Sections {
  const counts: Record<string, number> = {};
  let section: Section | undefined;
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let last = 0;

  async function flush(): Promise<void> {
    if (section === undefined || waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    bytes = 0;
    counts[section.table] = (counts[section.table] ?? 0) + rows.length;
    try {
      await installation.insert(section.table, section.columns, toList(rows));
      if (section.table === 'orders')
        await installation.insert('order_search', SEARCH_COLUMNS, searchRowsOf(rows));
    } catch (error) {
      throw asRefusal(error, section.table, last);
    }
  }

  return {
    flush,
    rows: () => ({ ...counts }),

    async open(line, number) {
      await flush();
      section = await findSection(installation, line, number, section);
      counts[section.table] = 0;
    },

    add(line, number) {
      if (section === undefined)
        throw refuseArchive(number, 'the archive is damaged: a row before any table');
      last = number;
      waiting.push(line);
      bytes += line.length;
      return waiting.length >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE ? flush() : undefined;
    },
  };
}

/** What archives of older versions hold and is made anew instead. */
const FORMER_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  stores: ['menu_version', 'stock_revision'],
};

/** Names from an archive go into SQL only when this installation has the table and the column too. */
async function findSection(
  installation: EmptyInstallation,
  line: Uint8Array,
  number: number,
  before: Section | undefined,
): Promise<Section> {
  const { table, columns: given } = readSection(line, number);
  const columns = given.filter((column) => !(FORMER_COLUMNS[table]?.includes(column) ?? false));
  const place = BACKUP_TABLES.findIndex(({ name }) => name === table);
  if (place <= (before?.place ?? -1)) {
    throw refuseArchive(number, `the archive is damaged: the table ${JSON.stringify(table)} is out of place`);
  }
  const known = await installation.columns(table);
  const strange = columns.find((column) => !known.some(({ name }) => name === column));
  if (strange !== undefined) {
    throw refuseArchive(
      number,
      `${table} has a column ${JSON.stringify(strange)} in the archive and none in this version of the service`,
    );
  }
  const missing = known.find(({ name, isOptional }) => !isOptional && !columns.includes(name));
  if (missing !== undefined) {
    throw refuseArchive(
      number,
      `${table} needs a column ${missing.name} that the archive, made by an older version, does not have; ` +
        'restore it with that version and upgrade from there',
    );
  }
  return { table, place, columns };
}

const SEARCH_COLUMNS = ['store_key', 'id', 'created_at', 'is_long', 'name', 'digits', 'grams'];

/** The database takes a number for a text and a text for a number where a column wants it; so an archive may hold either. */
interface OrderRow {
  readonly store_key: number | string;
  readonly id: string;
  readonly created_at: string;
  readonly customer_name: number | string;
  readonly customer_phone: number | string;
}

/** What the orders of an archive are found by, as a JSON list of rows: not archived, since it follows from the orders. */
function searchRowsOf(orders: readonly Uint8Array[]): string {
  const rows = orders.map((bytes) => {
    const order = JSON.parse(Buffer.from(bytes).toString()) as OrderRow;
    const { isLong, name, digits, grams } = searchedOrder(
      Number(order.store_key),
      String(order.customer_name),
      String(order.customer_phone),
    );
    const { store_key, id, created_at } = order;
    return { store_key, id, created_at, is_long: isLong, name, digits, grams };
  });
  return JSON.stringify(rows);
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

function toList(rows: readonly Uint8Array[]): Buffer {
  return Buffer.concat([...rows.flatMap((row, at) => [at === 0 ? OPEN : COMMA, row]), CLOSE]);
}

/** Data that does not fit its column, breaks a constraint or is no JSON. */
const DATA_ERROR = /^2[23]/;

function asRefusal(error: unknown, table: string, line: number): unknown {
  if (!(error instanceof SyntaxError) && !DATA_ERROR.test(errorCode(error) ?? '')) return error;
  return refuseArchive(
    line,
    `the archive is damaged: at or before this line, a row of ${table} is no such row`,
  );
}
