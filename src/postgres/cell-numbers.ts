import { StartupError } from '../support/errors.js';
import { FIRST_GIVEN_STORE_KEY } from '../support/example-ids.js';
import { lockFor } from './advisory-locks.js';
import type { Database, Queryable } from './database.js';

/** How many numbers each of the 4,096 cells has: together they fill the 31 bits of a store's number and the 53 of a menu id. */
const STORE_NUMBERS = 2 ** 19;
const MENU_IDS = 2 ** 41;

/**
 * A cell is one of many installations that never assign the same number to a store or menu entity. Sets the number ranges of
 * this installation, once, before any number is assigned; another cell is rejected afterwards.
 */
export async function takeCellNumbers(db: Database, cell: number): Promise<void> {
  if ((await readCell(db)).cell === cell) return;
  await db.transaction(async (tx) => {
    await lockFor(tx.client, 'migration');
    const { cell: present, isUsed } = await readCell(tx);
    if (present === cell) return;
    if (present !== 0 || isUsed)
      throw new StartupError(
        `This installation belongs to cell ${present}, but COMANDA_CELL is ${cell}. A cell never changes: set ` +
          `COMANDA_CELL to ${present}, or use a new database.`,
      );
    const numbers = range(cell, STORE_NUMBERS, FIRST_GIVEN_STORE_KEY - 1);
    await tx.client.query(`ALTER SEQUENCE store_numbers ${numbers}`);
    await tx.client.query(`ALTER SEQUENCE menu_entity_ids ${range(cell, MENU_IDS)}`);
  });
}

/** The cell of the installation, and whether it has assigned any numbers. */
export async function readCell(db: Queryable): Promise<{ cell: number; isUsed: boolean }> {
  const [row] = await db.read<{ least: number; last: number | null }>({
    name: 'cell',
    text: `SELECT s.min_value AS least, s.last_value AS last FROM pg_sequences s
           WHERE s.schemaname = current_schema() AND s.sequencename = 'store_numbers'`,
  });
  return { cell: Math.floor((row?.least ?? 1) / STORE_NUMBERS), isUsed: typeof row?.last === 'number' };
}

/**
 * The cell that gave the stores their numbers, if this one gave none: merchants that came from other cells bring theirs. The
 * stores of the demo have theirs from no cell.
 */
export async function findOtherCell(db: Queryable, cell: number): Promise<number | undefined> {
  const [row] = await db.query<{ other: number }>({
    name: 'other-cell',
    text: `SELECT s.store_key / ${STORE_NUMBERS} AS other FROM stores s
           WHERE s.store_key < ${FIRST_GIVEN_STORE_KEY} AND s.store_key / ${STORE_NUMBERS} <> $1
             AND NOT EXISTS (SELECT FROM stores o WHERE o.store_key / ${STORE_NUMBERS} = $1) LIMIT 1`,
    values: [cell],
  });
  return row?.other;
}

function range(cell: number, size: number, most = Infinity): string {
  const first = cell * size;
  return `MINVALUE ${first} MAXVALUE ${Math.min(first + size - 1, most)} START ${first} RESTART`;
}
