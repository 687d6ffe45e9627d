import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { BACKUP_TABLES } from './backup.sql.js';
import { fillInTransaction, type FilledInstallation, type Open } from './restore.sql.js';
import {
  checkHeader,
  kindOfLine,
  readEnd,
  readSection,
  refuseArchive,
  type ArchiveEnd,
  type ArchiveKind,
  type ArchiveSection,
  type RestoreReport,
} from './archive.js';
import type { Database } from '../postgres/database.js';
import { errorCode } from '../support/errors.js';
import { searchedOrder } from '../orders/list/search-text.js';
import { readLines, type NumberedLine } from '../support/ndjson.js';

/** The longest row is a published menu: its body, compressed, two characters a byte. */
const LONGEST_LINE = 256 * 1024 * 1024;

/** Takes in an archive, all or nothing. */
export function restoreArchive<Finished>(
  db: Database,
  source: AsyncIterable<Uint8Array>,
  kind: ArchiveKind,
  open: Open<Finished>,
): Promise<RestoreReport & Finished> {
  return fillInTransaction(db, async (client, tx) => {
    const into = await open(client, tx);
    const hash = createHash('sha256');
    const sections = createSections(into);
    let end: ArchiveEnd | undefined;
    let last = 0;
    const take = async ({ number, bytes }: NumberedLine) => {
      last = number;
      if (bytes === undefined) throw refuseArchive(number, 'the archive is damaged: this line is too long');
      if (end !== undefined) throw refuseArchive(number, 'the archive has data after its end');
      const line = kindOfLine(bytes);
      if (number > 1 && line === 'end') {
        await sections.flush();
        end = readEnd(bytes, number);
        if (end.sha256 !== hash.digest('hex') || !isDeepStrictEqual(end.rows, sections.rows()))
          throw refuseArchive(number, 'the archive is damaged: its contents do not match its checksum');
        return;
      }
      hash.update(bytes).update('\n');
      if (number === 1) checkHeader(bytes, kind, into.schema);
      else if (line === 'section') await sections.open(bytes, number);
      else await sections.add(bytes, number);
    };
    for await (const lines of readLines(source, LONGEST_LINE)) for (const line of lines) await take(line);
    if (end === undefined) throw refuseArchive(last, 'the archive is incomplete: it ends after this line');
    return { rows: sections.rows(), ...(await into.finish(end)) };
  });
}

interface Section extends ArchiveSection {
  readonly place: number;
}

const ROWS_AT_ONCE = 1_000;
const BYTES_AT_ONCE = 4_000_000;

/** Writes the rows of an archive table by table, some at a time. */
function createSections(installation: FilledInstallation<unknown>) {
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
      await installation.insert(section, toList(rows), rows.length);
      if (section.table === 'orders')
        await installation.insert(SEARCH_SECTION, searchRowsOf(rows), rows.length);
    } catch (error) {
      throw asRefusal(error, section.table, last);
    }
  }

  /** Names from an archive go into SQL only if this installation has the table and the column. */
  async function readNext(line: Uint8Array, number: number): Promise<Section> {
    const { table, columns, changed = false } = readSection(line, number);
    const place = BACKUP_TABLES.findIndex(({ name }) => name === table);
    if (place <= (section?.place ?? -1))
      throw refuseArchive(
        number,
        `the archive is damaged: the table ${JSON.stringify(table)} is out of place`,
      );
    const known = await installation.columns(table);
    const strange = columns.find((column) => !known.some(({ name }) => name === column));
    if (strange !== undefined)
      throw refuseArchive(
        number,
        `${table} has a column ${JSON.stringify(strange)} in the archive, but not in this version`,
      );
    const missing = known.find(({ name, isOptional }) => !isOptional && !columns.includes(name));
    if (missing !== undefined)
      throw refuseArchive(
        number,
        `${table} needs the column ${missing.name}, which the archive of an older version does not have; ` +
          'restore it with that version and upgrade from there',
      );
    return { table, place, columns, changed };
  }

  return {
    flush,
    /** How many rows each table has had so far. */
    rows: () => ({ ...counts }),

    async open(line: Uint8Array, number: number) {
      await flush();
      section = await readNext(line, number);
      await installation.open?.(section);
      counts[section.table] = 0;
    },

    add(line: Uint8Array, number: number): Promise<void> | undefined {
      if (section === undefined)
        throw refuseArchive(number, 'the archive is damaged: a row before any table');
      last = number;
      waiting.push(line);
      bytes += line.length;
      return waiting.length >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE ? flush() : undefined;
    },
  };
}

const SEARCH_SECTION = {
  table: 'order_search',
  columns: ['store_key', 'id', 'created_at', 'is_long', 'name', 'digits', 'grams'],
};

/** The database takes a number for a text and a text for a number where a column wants it; so an archive may hold either. */
interface OrderRow {
  readonly store_key: number | string;
  readonly id: string;
  readonly created_at: string;
  readonly customer_name: number | string;
  readonly customer_phone: number | string;
}

/** Builds the search rows of an archive's orders, as a JSON list. They follow from the orders, so they are not archived. */
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
  return Buffer.concat([...rows.flatMap((row, i) => [i === 0 ? OPEN : COMMA, row]), CLOSE]);
}

/** Data that does not fit its column, violates a constraint or is not JSON. */
const DATA_ERROR = /^2[23]/;

function asRefusal(error: unknown, table: string, line: number): unknown {
  if (!(error instanceof SyntaxError) && !DATA_ERROR.test(errorCode(error) ?? '')) return error;
  return refuseArchive(line, `the archive is damaged: at or before this line, a row of ${table} is invalid`);
}
