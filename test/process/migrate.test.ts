import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/postgres/database.js';
import { temporaryFolder } from '../harness/process.js';
import { createDatabase } from '../harness/service.js';
import { urlOf } from '../harness/service-process.js';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(words: readonly string[], environment: Record<string, string>) {
  const env = { PATH: process.env['PATH'], ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', ...words], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const migrate = (environment: Record<string, string>) => run(['migrate'], environment);

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
      'Error: DATABASE_URL is "nonsense"; expected a postgres:// or postgresql:// address (in the password write / as %2F, # as %23, ? as %3F and @ as %40); target_session_attrs, if given, must be any, read-write or primary.\n',
    );
  });
});

describe('doctor --local', () => {
  const lineOf = ({ stdout }: { stdout: string }) =>
    stdout.split('\n').find((line) => line.includes('Database: '));

  it('tells what a start would meet behind DATABASE_URL', async () => {
    const { connection, drop } = await createDatabase();
    onTestFinished(drop);
    const environment = { DATABASE_URL: urlOf(connection) };
    const examine = () => run(['doctor', '--local'], environment);
    expect(lineOf(examine())).toMatch(/^ok {5}Database: PostgreSQL \d.* the next start creates its tables$/);
    expect(migrate(environment).status).toBe(0);
    expect(lineOf(examine())).toMatch(/^ok {5}Database: PostgreSQL \d.* \(DATABASE_URL\)$/);

    const db = openDatabase({ connection, poolSize: 1 });
    onTestFinished(() => db.close());
    const alter = (text: string) => db.query({ name: '', text });
    await alter('DELETE FROM schema_migrations WHERE number = (SELECT max(number) FROM schema_migrations)');
    expect(lineOf(examine())).toMatch(/; the next start migrates it from schema \d+ to \d+$/);
    await alter(`INSERT INTO schema_migrations (number, name, applied_at) VALUES (9999, 'newer', now())`);
    const newer = examine();
    expect([newer.status, lineOf(newer)]).toEqual([
      1,
      expect.stringMatching(/^wrong .* has schema 9999, but this version supports only \d+$/),
    ]);
    expect(newer.stdout).toContain('Run the newer version that migrated it');
  }, 60_000);

  it('tells what is wrong with the address', async () => {
    const { connection, drop } = await createDatabase();
    onTestFinished(drop);
    const missing = run(['doctor', '--local'], {
      DATABASE_URL: urlOf({ ...connection, database: 'nowhere' }),
    });
    expect(missing.status).toBe(1);
    expect(missing.stdout).toContain('Create that database, or set another name in it.');
    const away = run(['doctor', '--local'], { DATABASE_URL: 'postgres://127.0.0.1:1/x' });
    expect([away.status, away.stdout]).toEqual([
      1,
      expect.stringContaining('The database is unavailable (connect ECONNREFUSED'),
    ]);
  });
});
