import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/process.js';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function migrate(environment: Record<string, string>) {
  const env = { PATH: process.env['PATH'], ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', 'migrate'], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('migrate', () => {
  it('makes the database, and the second time finds nothing to do', () => {
    const environment = { COMANDA_DATA_DIR: `${folder}/data` };
    const first = migrate(environment);
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(/^Applied 0001_foundation\.sql, .*\.\n$/);
    expect(migrate(environment)).toEqual({ status: 0, stdout: 'The database is up to date.\n', stderr: '' });
  });

  it('says what is wrong with the configuration', () => {
    const { status, stderr } = migrate({ DATABASE_URL: 'nonsense' });
    expect(status).toBe(1);
    expect(stderr).toBe(
      'Error: DATABASE_URL is "nonsense"; allowed is a postgres:// or postgresql:// address, with / in its password as %2F, # as %23, ? as %3F and @ as %40, and with target_session_attrs, if given, as any, read-write or primary.\n',
    );
  });
});
