import { inject, it, expect } from 'vitest';
import { openDatabase } from '../../src/postgres/database.js';
import { isOnCitus } from '../harness/citus.js';
import { describeSchema } from '../harness/describe-schema.js';

const NOTICE =
  '-- The whole schema, as the migrations make it. Written by `npm run generate:schema`; do not edit.\n' +
  '-- What tables and columns mean is said in the migration that brings them; the functions are in functions.sql.\n\n';

it.skipIf(isOnCitus)('migrations/schema.sql is what the migrations make', async () => {
  const db = openDatabase({ connection: { ...inject('server'), database: inject('template') }, poolSize: 1 });
  const schema = await db.withClient((client) => describeSchema(client));
  await db.close();
  await expect(NOTICE + schema).toMatchFileSnapshot('../../migrations/schema.sql');
});
