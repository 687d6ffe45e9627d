import { MOVING_STORES, PATIENCE_MS, STORE_JSON, type RequestedStore } from '../access/api-key-lookup.sql.js';
import { newCode } from '../access/code.js';
import { hashSecret } from '../access/secret.js';
import { createBatch } from '../postgres/batch.js';
import { parseWithoutNulls } from '../postgres/without-nulls.js';
import type { Database, Queryable } from '../postgres/database.js';
import type { Page } from '../support/shape/common-shapes.js';
import { newUuidV7 } from '../support/uuid.js';
import type { PrinterSettings, PrinterState, Trouble } from './shapes.js';

/** A test print, or a copy of an order, that somebody asked for. */
interface Extra {
  /** The token of its job: Epson's printers take 30 letters, digits, hyphens, underscores and periods at most. */
  readonly id: string;
  readonly order_id?: string | undefined;
}

/** The ticket that a printer has fetched and not yet confirmed. */
export interface OpenJob {
  readonly token: string;
  /** The event up to which everything is printed once it is confirmed; absent for an extra. */
  readonly reaches?: number | undefined;
  /** The orders on it, and their revisions. */
  readonly orders: readonly { readonly id: string; readonly revision: number; readonly cancelled: boolean }[];
  /** How often it was fetched since it was last known to be unprinted. */
  readonly fetches: number;
  /** The device that fetched it last, and until when nobody else may. */
  readonly device: string;
  readonly until: number;
  readonly type: string;
  /** Media types that the printer could not print. */
  readonly refused: readonly string[];
}

export interface StoredPrinter {
  readonly id: string;
  readonly code: string;
  readonly settings: PrinterSettings;
  readonly created_at: Date;
  readonly sequence: number;
  readonly watched: number;
  readonly job: OpenJob | null;
  readonly extras: readonly Extra[];
  readonly last_poll_at: Date | null;
  readonly paper: PrinterState['paper'];
  readonly cover: PrinterState['cover'];
  readonly trouble: Trouble | null;
}

const NAMES = [
  ...['id', 'code', 'settings', 'created_at', 'sequence', 'watched', 'job', 'extras', 'last_poll_at'],
  ...['paper', 'cover', 'trouble'],
];
const COLUMNS = NAMES.map((name) => `p.${name}`).join(', ');
/** The same as one value, for a query that finds more. Not for RETURNING: Citus takes no such functions there. */
const PRINTER_TEXT = `json_build_object(${NAMES.map((name) => `'${name}', p.${name}`).join(', ')})::text AS printer`;

function toPrinter(text: string): StoredPrinter {
  const printer = JSON.parse(text) as StoredPrinter;
  const { created_at, last_poll_at } = printer;
  return {
    ...printer,
    created_at: new Date(created_at),
    last_poll_at: last_poll_at && new Date(last_poll_at),
  };
}

export async function listPrinters(db: Queryable, storeKey: number, page: Page): Promise<StoredPrinter[]> {
  return db.read<StoredPrinter>({
    name: 'printers',
    text: `SELECT ${COLUMNS} FROM printers p WHERE p.store_key = $1
           ORDER BY p.created_at, p.id OFFSET $2 LIMIT $3`,
    values: [storeKey, page.skip, page.limit],
  });
}

/** `lock`: until the end of the transaction nobody else changes it. */
export async function getPrinter(
  db: Queryable,
  storeKey: number,
  id: string,
  lock = false,
): Promise<StoredPrinter | undefined> {
  const [printer] = await db.query<StoredPrinter>({
    name: lock ? 'printer-lock' : 'printer',
    text: `SELECT ${COLUMNS} FROM printers p WHERE p.store_key = $1 AND p.id = $2${lock ? ' FOR UPDATE' : ''}`,
    values: [storeKey, id],
  });
  return printer;
}

/** Of a store. */
export const MOST_PRINTERS = 50;

/** It prints what happens from now on. */
export async function insertPrinter(
  tx: Queryable,
  storeKey: number,
  settings: PrinterSettings,
  createdAt = Date.now(),
): Promise<StoredPrinter> {
  const code = newCode();
  const [last] = await tx.query<{ last: number }>({
    name: 'printer-start',
    text: 'SELECT c.last_sequence AS last FROM event_counters c WHERE c.store_key = $1',
    values: [storeKey],
  });
  const [printer] = await tx.query<StoredPrinter>({
    name: 'printer-insert',
    text: `INSERT INTO printers AS p (store_key, id, code, code_hash, settings, created_at, sequence, watched)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING ${COLUMNS}`,
    values: [
      storeKey,
      newUuidV7(),
      code,
      hashSecret(code),
      JSON.stringify(settings),
      new Date(createdAt),
      last?.last ?? 0,
    ],
  });
  if (printer === undefined) throw new Error('A new printer was not returned');
  return printer;
}

/** Gives a store the printers of another, in their order and with codes of their own. */
export async function copyPrinters(tx: Queryable, fromKey: number, toKey: number): Promise<void> {
  const now = Date.now();
  const printers = await listPrinters(tx, fromKey, { skip: 0, limit: MOST_PRINTERS });
  for (const [i, { settings }] of printers.entries()) await insertPrinter(tx, toKey, settings, now + i);
}

/** What of a printer changes; what is not given stays. */
type PrinterChange = {
  readonly [Name in keyof StoredPrinter]?: StoredPrinter[Name] | undefined;
};

const JSON_COLUMNS = ['settings', 'job', 'extras'];
/** Confirmations may come late, or twice. */
const NEVER_BACK = ['sequence', 'watched'];

export async function updatePrinter(
  db: Queryable,
  storeKey: number,
  id: string,
  change: PrinterChange,
): Promise<StoredPrinter | undefined> {
  const { code } = change;
  const columns = Object.entries({ ...change, code_hash: code && hashSecret(code) }).filter(
    ([, value]) => value !== undefined,
  );
  const set = columns.map(([name], i) =>
    NEVER_BACK.includes(name) ? `${name} = greatest(p.${name}, $${i + 3})` : `${name} = $${i + 3}`,
  );
  const values = columns.map(([name, value]) =>
    JSON_COLUMNS.includes(name) && value !== null ? JSON.stringify(value) : value,
  );
  const [printer] = await db.query<StoredPrinter>({
    name: `printer-update-${columns.map(([name]) => name).join('-')}`,
    text: `UPDATE printers AS p SET ${set.join(', ')} WHERE p.store_key = $1 AND p.id = $2 RETURNING ${COLUMNS}`,
    values: [storeKey, id, ...values],
  });
  return printer;
}

export async function deletePrinter(db: Queryable, storeKey: number, id: string): Promise<boolean> {
  const removed = await db.query({
    name: 'printer-delete',
    text: 'DELETE FROM printers p WHERE p.store_key = $1 AND p.id = $2 RETURNING 1',
    values: [storeKey, id],
  });
  return removed.length > 0;
}

/** A printer whose code is valid, and the last event of its store. */
export interface FoundPrinter {
  readonly printer: StoredPrinter;
  readonly store: RequestedStore;
  readonly last: number;
}

/** Looks up codes, all that wait at the same moment in one query: whatever is wrong with a code takes as long as nothing. */
export function createPrinterLookup(
  db: Database,
  everyMs = 0,
): (code: string) => Promise<FoundPrinter | undefined> {
  return createBatch<string, FoundPrinter | undefined>({
    everyMs,
    run: async (codes) => {
      const rows = await db.read<{ printer: string | null; store: string; last: number | null }>({
        name: 'printers-by-code',
        text: PRINTERS_BY_CODE,
        values: [codes.map(hashSecret)],
        patienceMs: PATIENCE_MS,
      });
      return rows.map(({ printer, store, last }) =>
        printer === null ? undefined : { ...toFound(printer, store), last: last ?? 0 },
      );
    },
  });
}

const PRINTERS_BY_CODE = `
  SELECT found.printer, found.store, c.last_sequence AS last
  FROM unnest((SELECT $1::bytea[])) WITH ORDINALITY AS asked (code_hash, position)
  LEFT JOIN LATERAL (
    SELECT ${PRINTER_TEXT}, ${STORE_JSON}::text, p.store_key
    FROM printers p JOIN stores ON stores.store_key = p.store_key
    JOIN menu_states ON menu_states.store_key = p.store_key
    WHERE p.code_hash = asked.code_hash
    LIMIT 1
  ) AS found (printer, store, store_key) ON true
  LEFT JOIN event_counters c ON c.store_key = found.store_key
  ORDER BY asked.position`;

/** Writes down that the printers of these codes are there. */
export async function notePolls(db: Queryable, codes: readonly string[]): Promise<void> {
  await db.query({
    name: 'printers-polled',
    text: 'UPDATE printers SET last_poll_at = $2 WHERE code_hash = ANY ($1::bytea[])',
    values: [codes.map(hashSecret), new Date()],
  });
}

/** Printers that have polled once, but not since. */
export async function findSilentPrinters(
  db: Queryable,
  since: Date,
): Promise<{ readonly storeKey: number; readonly id: string }[]> {
  return db.read({
    name: 'printers-silent',
    text: `SELECT p.store_key AS "storeKey", p.id FROM printers p
           WHERE p.last_poll_at < $1 AND p.trouble IS DISTINCT FROM 'offline'
             AND p.store_key NOT IN (${MOVING_STORES}) LIMIT ${WATCHED_AT_ONCE}`,
    values: [since],
  });
}

const WATCHED_AT_ONCE = 100;

export interface WatchedPrinter extends FoundPrinter {
  /** Within which an order is to be printed. */
  readonly minutes: number;
}

/** Printers of stores that want to know, with events that are old enough and that nobody has looked at. */
export async function findUnwatched(db: Queryable, now: Date): Promise<WatchedPrinter[]> {
  // Most stores do not want to know: then nothing is asked of the tables that Citus spreads.
  const wanting = await db.read<{ store_key: number }>({
    name: 'printers-watched-stores',
    text: `SELECT DISTINCT p.store_key FROM printers p JOIN stores ON stores.store_key = p.store_key
           WHERE stores.print_within_minutes IS NOT NULL AND stores.moving IS NULL`,
  });
  if (wanting.length === 0) return [];
  const rows = await db.read<{ printer: string; store: string; last: number; minutes: number }>({
    name: 'printers-unwatched',
    text: `SELECT ${PRINTER_TEXT}, ${STORE_JSON}::text AS store, c.last_sequence AS last, stores.print_within_minutes AS minutes
           FROM printers p JOIN stores ON stores.store_key = p.store_key
           JOIN menu_states ON menu_states.store_key = p.store_key
           JOIN event_counters c ON c.store_key = p.store_key
           JOIN events e ON e.store_key = p.store_key AND e.sequence = greatest(p.sequence, p.watched) + 1
           WHERE p.store_key = ANY ($2::integer[])
             AND e.at <= $1::timestamptz - make_interval(mins => stores.print_within_minutes) LIMIT ${WATCHED_AT_ONCE}`,
    values: [now, wanting.map(({ store_key: key }) => key)],
  });
  return rows.map(({ printer, store, ...row }) => ({ ...row, ...toFound(printer, store) }));
}

function toFound(printer: string, store: string) {
  return { printer: toPrinter(printer), store: parseWithoutNulls<RequestedStore>(store) };
}

/** Printers that print nothing, by store key. */
export async function countPrintersInTrouble(
  db: Queryable,
  storeKeys: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db.read<{ store_key: number; count: number }>({
    name: 'printers-in-trouble',
    text: `SELECT p.store_key, count(*)::integer AS count FROM printers p
           WHERE p.store_key = ANY ($1::integer[]) AND p.trouble IS NOT NULL GROUP BY p.store_key`,
    values: [storeKeys],
  });
  return new Map(rows.map((row) => [row.store_key, row.count]));
}
