import { expect, it, onTestFinished } from 'vitest';
import { ask } from '../harness/client.js';
import { startService } from '../harness/service.js';

it('is not ready on a database that takes no writes, as after a demotion', async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  expect((await ask(`${service.url}/readyz`)).status).toBe(200);
  const run = (text: string) => service.db.withClient((client) => client.query(text));
  // Stands before PostgreSQL's own: no server has to be demoted for it.
  await run('CREATE FUNCTION pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS $$ SELECT true $$');
  await run(`ALTER DATABASE ${String(service.connection.database)} SET search_path = public, pg_catalog`);
  const replica = await service.replica();
  onTestFinished(() => replica.stop());
  const answer = await ask(`${replica.url}/readyz`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
});
