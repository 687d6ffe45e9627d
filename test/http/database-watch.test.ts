import { pino } from 'pino';
import { expect, it } from 'vitest';
import { watchDatabase } from '../../src/http/health.js';
import { knownSchema } from '../../src/postgres/schema-migrations.js';
import { administer } from '../harness/administer.js';
import { useService } from '../harness/service.js';

const { db, connection } = await useService();
const run = (text: string) => administer(connection, text);

/** A watch that has been told of a refusal, and believes it for no time at all. */
async function meet(text: string) {
  const watch = watchDatabase(db, pino({ level: 'silent' }), 0);
  const refusal: unknown = await db.query({ name: 'met', text }).catch((error: unknown) => error);
  const problem = await watch.explainError(refusal);
  expect(problem).toBeInstanceOf(Error);
  return { watch, problem };
}

it('a column that is gone is asked for again before it is forgotten', async () => {
  await run('ALTER TABLE stores DROP COLUMN timezone');
  const { watch, problem } = await meet('SELECT s.timezone FROM stores s');
  for (let times = 0; times < 2; times += 1) expect(await watch.currentProblem()).toBe(problem);
  await run('ALTER TABLE stores ADD COLUMN timezone text');
  expect(await watch.currentProblem()).toBeUndefined();
});

it('a newer schema is looked for again before it is forgotten', async () => {
  const next = knownSchema() + 1;
  await run(`INSERT INTO schema_migrations (number, name, applied_at) VALUES (${next}, 'next', now())`);
  const { watch, problem } = await meet('SELECT s.next FROM stores s');
  expect(String(problem)).toContain(`newer schema (${next})`);
  for (let times = 0; times < 2; times += 1) expect(await watch.currentProblem()).toBe(problem);
  await run(`DELETE FROM schema_migrations WHERE number = ${next}`);
  expect(await watch.currentProblem()).toBeUndefined();
});
