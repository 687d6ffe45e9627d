import type { Part } from '../bench.js';
import { ORDER } from '../data/orders.js';
import { compareRates, type Side } from '../measure/compare.js';
import { requestBytes } from '../measure/load.js';
import type { BenchDatabase } from '../servers/postgres.js';
import { createStore, type Setting } from '../servers/service.js';

const WRITERS = 20;
/** A commit waits for the disk, which is faster at some moments than at others: the median needs many rounds. */
const ROUNDS = 25;
const FACTS = {
  service: 'delivery',
  source: { name: 'marketplace', reference: 'A-1042' },
  references: { till: '146' },
  charges: [{ kind: 'delivery', name: 'Delivery', price: 250, tax: 25 }],
  discounts: [{ name: 'Welcome', price: 100, tax: 10 }],
  tip: 100,
  payments: [{ method: 'card', amount: 300 }],
  delivery: { address: { line_1: 'Calle Mayor 1', postal_code: '28013', city: 'Madrid' } },
};

export const intake: Part = {
  name: 'intake',
  title: 'Taking in orders, with and without events and sales',
  notes: `${WRITERS} connections take in orders of one store. The event of each order is written in the same statement and numbered by a row
of the store that only one transaction can hold at a time. Reference: the same service on a database where \`append_events\`,
the function that numbers and writes events, does nothing. "Sales": the same where \`count_sales\`, which counts what orders
come to, does nothing. "The whole order": one with service, source, references, a charge, a discount, a tip, a payment and an
address; reference: one without.`,
  run: async (bench) => {
    const [whole, silent, uncounted] = [await bench.own(), await bench.own(), await bench.own()];
    await switchOff(silent.database, 'append_events', 'RETURN NULL');
    await switchOff(uncounted.database, 'count_sales', 'RETURN');
    const service = await writing(whole);
    const options = { service, connections: WRITERS, expectStatus: 201, durationMs: 600, rounds: ROUNDS };
    const name = `${WRITERS} writers`;
    return [
      await compareRates(bench, { name, reference: await writing(silent), ...options }),
      await compareRates(bench, { name: `${name}, sales`, reference: await writing(uncounted), ...options }),
      await compareRates(bench, {
        ...options,
        name: `${name}, the whole order against a short one`,
        service: await writing(whole, FACTS),
        reference: service,
      }),
    ];
  },
};

async function switchOff(database: BenchDatabase, name: string, body: string): Promise<void> {
  const [found] = await database.query<{ args: string; result: string }>(
    `SELECT pg_get_function_arguments(p.oid) AS args, pg_get_function_result(p.oid) AS result
     FROM pg_proc p WHERE p.proname = '${name}'`,
  );
  if (found === undefined) throw new Error(`There is no function ${name} to switch off`);
  await database.query(
    `CREATE OR REPLACE FUNCTION ${name}(${found.args}) RETURNS ${found.result}
     LANGUAGE plpgsql AS 'BEGIN ${body}; END'`,
  );
}

async function writing(setting: Setting, facts: object = {}): Promise<Side> {
  const path = `/manage/v1/stores/${await createStore(setting)}/orders`;
  const headers = { 'x-api-key': setting.tenant.key };
  const order = { ...ORDER, ...facts, created_at: '2029-12-31T23:15:00Z' };
  const requests = [requestBytes({ path, headers, body: JSON.stringify(order) })];
  return { server: setting.service, requests };
}
