import { StartRefused } from '../domain/errors.js';
import { FIRST_GIVEN_STORE_KEY } from '../domain/example-ids.js';
import { lockFor } from './advisory-locks.js';
import type { Database, Queryable } from './database.js';

/** How many numbers each of the 4,096 cells has: together they fill the 31 bits of a store's number and the 53 of a menu id. */
const STORE_NUMBERS = 2 ** 19;
const MENU_IDS = 2 ** 41;

/**
 * A cell is one of many installations that never give the same number to a store or a menu entity. Sets the numbers that this
 * one may give, once, before it has given any: numbers are for ever, so another cell is refused afterwards.
 */
export async function takeCellNumbers(db: Database, cell: number): Promise<void> {
  if ((await readCell(db)).cell === cell) return;
  await db.transaction(async (tx) => {
    await lockFor(tx.client, 'migration');
    const { cell: present, isUsed } = await readCell(tx);
    if (present === cell) return;
    if (present !== 0 || isUsed)
      throw new StartRefused(
        `This installation has the numbers of cell ${present}, and COMANDA_CELL is ${cell}. Numbers are given for ever: set ` +
          `COMANDA_CELL to ${present}, or use a new database.`,
      );
    const numbers = range(cell, STORE_NUMBERS, FIRST_GIVEN_STORE_KEY - 1);
    await tx.client.query(`ALTER SEQUENCE store_numbers ${numbers}`);
    await tx.client.query(`ALTER SEQUENCE menu_entity_ids ${range(cell, MENU_IDS)}`);
  });
}

/** The cell whose numbers the installation has, and whether it has given any. */
export async function readCell(db: Queryable): Promise<{ cell: number; isUsed: boolean }> {
  const [row] = await db.query<{ least: number; last: number | null }>({
    name: 'cell',
    text: `SELECT s.min_value AS least, s.last_value AS last FROM pg_sequences s
           WHERE s.schemaname = current_schema() AND s.sequencename = 'store_numbers'`,
    repeatable: true,
  });
  return { cell: Math.floor((row?.least ?? 1) / STORE_NUMBERS), isUsed: typeof row?.last === 'number' };
}

function range(cell: number, size: number, most = Infinity): string {
  const first = cell * size;
  return `MINVALUE ${first} MAXVALUE ${Math.min(first + size - 1, most)} START ${first} RESTART`;
}
