import { ask, type Answer } from '../harness/client.js';
import type { Service } from '../harness/service.js';

export interface EraseBody {
  readonly dry_run: boolean;
  readonly orders: number;
  readonly stores: readonly { readonly store_id: string; readonly orders: number }[];
  readonly detail?: unknown;
}

export function erase(service: Pick<Service, 'url'>, key: string, body: object): Promise<Answer<EraseBody>> {
  return ask<EraseBody>(`${service.url}/manage/v1/customers/erase`, { method: 'POST', key, body });
}

/** Every row of every table as text, of which the given texts are found; case does not matter. */
export async function tablesWith(
  { db }: Pick<Service, 'db'>,
  texts: readonly string[],
): Promise<readonly string[]> {
  return db.withClient(async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await client.query(
        `SELECT FROM ${name} t WHERE EXISTS (
           SELECT FROM unnest($1::text[]) AS w (text) WHERE strpos(lower(t::text), lower(w.text)) > 0) LIMIT 1`,
        [texts],
      );
      if (rowCount !== 0) found.push(name);
    }
    return found;
  });
}
