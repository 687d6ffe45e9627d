import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useService } from '../harness/service.js';
import { createKey, createStore, createTenant } from '../harness/tenant.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { comanda } from './command-line.js';

const folder = makeTestFolder();
const service = await useService();

const operator = () => ({ COMANDA_URL: service.url, COMANDA_KEY: service.operatorKey });
const asOperator = (...words: string[]) => comanda(words, { environment: operator() });
const json = async <T>(...words: string[]) => JSON.parse((await asOperator(...words, '--json')).out) as T;

interface Made {
  id: string;
  key: string;
}

describe('provisioning', () => {
  it('goes from a merchant to a working key', async () => {
    const merchant = await json<Made>('merchants', 'create', '--name', 'Ñandú');
    const store = await json<Made>(
      ...['stores', 'create', '--merchant', merchant.id, '--name', 'es=Centro', 'en=Old town'],
      ...['--country', 'ES', '--external-id', 'till/1'],
    );
    expect(store).toMatchObject({
      name: { translations: { es: 'Centro', en: 'Old town' } },
      currency: 'EUR',
      external_id: 'till/1',
    });
    const key = await json<Made>(
      ...['keys', 'create', '--merchant', merchant.id, '--permission', 'read', 'menu:write'],
    );
    const asTill = { COMANDA_URL: service.url, COMANDA_KEY: key.key };
    const shown = await comanda(['stores', 'show', 'till/1', '--json'], { environment: asTill });
    expect(JSON.parse(shown.out)).toEqual(store);
    expect(await asOperator('keys', 'revoke', key.id, '--yes')).toEqual({
      code: 0,
      out: `Revoked the key ${key.id}.\n`,
      err: '',
    });
    expect((await comanda(['stores', 'list'], { environment: asTill })).code).toBe(4);
  });

  it('takes fields of a store from a file, and flags before them', async () => {
    const { merchantId } = await createTenant(service);
    const file = join(folder, 'store.yaml');
    await writeFile(file, 'name: {translations: {en: From file}}\ncity: Madrid\ncontacts: {email: a@b.c}\n');
    const wanted = ['--merchant', merchantId, '--file', file, '--city', 'Ávila'];
    const store = await json<Made>('stores', 'create', ...wanted);
    expect(store).toMatchObject({ city: 'Ávila', contacts: { email: 'a@b.c' } });
    const changed = await json<Made>('stores', 'change', store.id, '--timezone', 'Europe/Madrid');
    expect(changed).toEqual({ ...store, timezone: 'Europe/Madrid' });
    const broken = join(folder, 'store.json');
    await writeFile(broken, '{"city": "Madrid",}');
    expect(await asOperator('stores', 'change', store.id, '--file', broken)).toMatchObject({
      code: 6,
      err: `Error: ${broken} has 1 error.\n${broken}:1:19: JSON decode error: Expecting property name enclosed in double quotes\n`,
    });
  });

  it('sets which orders are accepted by themselves, and which need attention', async () => {
    const { storeId } = await createTenant(service);
    const set = (...flags: string[]) => json<Made>('stores', 'change', storeId, ...flags);
    expect(
      await set('--accept-within', '10', '--not-accepted', 'reject', '--in-pos-within', '5'),
    ).toMatchObject({
      accept: { auto: false, within_minutes: 10, then: 'reject' },
      in_pos_within_minutes: 5,
    });
    expect(await set('--accept-auto')).toMatchObject({
      accept: { auto: true, within_minutes: 10, then: 'reject' },
    });
    expect(await set('--no-accept-auto')).toMatchObject({ accept: { auto: false } });
  });

  it('deletes stores and merchants, when told twice', async () => {
    const { merchantId, storeId, key } = await createTenant(service);
    const other = await createStore(service, merchantId, { name: { translations: { en: 'A\u202eB' } } });
    await asOperator('orders', 'create', storeId, '--file', await orderFile());
    const asked = await comanda(['stores', 'delete', other], {
      ...{ environment: operator(), stdin: 'n\n', canAsk: true },
    });
    expect(asked).toEqual({
      code: 9,
      out: '',
      err: `Permanently delete the store A\ufffdB (${other})? [y/N] Error: Nothing was changed.\n`,
    });
    expect((await asOperator('stores', 'delete', other, '--yes')).out).toBe(`Deleted the store ${other}.\n`);
    expect((await asOperator('stores', 'delete', storeId, '--yes')).code).toBe(7);
    expect((await asOperator('merchants', 'delete', merchantId, '--yes')).code).toBe(7);
    expect((await asOperator('merchants', 'delete', merchantId, '--force', '--yes')).out).toBe(
      `Deleted the merchant ${merchantId}.\n`,
    );
    expect((await asOperator('merchants', 'show', merchantId)).code).toBe(5);
    expect((await comanda(['stores', 'list', '--url', service.url, '--key', key])).code).toBe(4);
  });

  it('rotates a key', async () => {
    const { keyId } = await createTenant(service);
    const rotated = await json<Made>('keys', 'rotate', keyId, '--overlap', '0');
    expect(rotated).toMatchObject({ rotated_from: keyId });
    const { out } = await asOperator('keys', 'list');
    expect(out).toMatch(new RegExp(`^${keyId}\t(expired|revoked)\t`, 'm'));
  });

  it('revokes a key with one that may revoke and not see webhooks', async () => {
    const tenant = await createTenant(service, ['read', 'keys:write']);
    const { id } = await createKey(service, { merchant_id: tenant.merchantId, permissions: ['read'] });
    const environment = { COMANDA_URL: service.url, COMANDA_KEY: tenant.key };
    expect(await comanda(['keys', 'revoke', id, '--yes'], { environment })).toEqual({
      code: 0,
      out: `Revoked the key ${id}.\n`,
      err: '',
    });
  });

  it.each(['rotate', 'revoke'])('does not repeat a secret that was given to %s', async (verb) => {
    const { key } = await createTenant(service);
    const { code, err } = await asOperator('keys', verb, key);
    expect([code, err]).toEqual([
      2,
      'Error: Not a key id. Use the id of the key, not its secret. See: comanda keys list\n',
    ]);
  });

  it('names each refused field', async () => {
    const { merchantId } = await createTenant(service);
    const wanted = ['--merchant', merchantId, '--name', 'en=x', '--timezone', 'Mars'];
    const { code, err } = await asOperator('stores', 'create', ...wanted);
    expect(code).toBe(6);
    expect(err).toContain('timezone: Value error, not an IANA time zone name');
  });
});

async function orderFile(): Promise<string> {
  const path = join(folder, 'order.json');
  const customer = { name: 'A', phone: '1' };
  await writeFile(path, JSON.stringify({ customer, items: [], price: 1, tax: 0, ready_by: '2030-01-01' }));
  return path;
}

describe('tables', () => {
  it('are tab-separated in a pipe, aligned in a terminal, blocks where it is narrow', async () => {
    const { key, storeId } = await createTenant(service);
    const environment = { COMANDA_URL: service.url, COMANDA_KEY: key };
    const piped = await comanda(['stores', 'list'], { environment });
    expect(piped.out).toBe(`${storeId}\tCentro\t\t\tCasa Comanda\n`);
    const wide = await comanda(['stores', 'list'], { environment, columns: 100 });
    expect(wide.out).toMatch(/^ID {36}NAME {4}EXTERNAL ID {2}CITY {2}MERCHANT\n/);
    const narrow = await comanda(['stores', 'list'], { environment, columns: 40 });
    expect(narrow.out).toBe(`${storeId}\n  NAME         Centro\n  MERCHANT     Casa Comanda\n`);
    for (const line of narrow.out.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });

  it('show no code that a terminal would obey', async () => {
    await asOperator('merchants', 'create', '--name', 'Evil\u001b[2J\u202eCafé');
    const { out } = await comanda(['merchants', 'list'], { environment: operator(), columns: 120 });
    expect(out).toContain('Evil\ufffd[2J\ufffdCafé');
    expect(out.includes('\u001b')).toBe(false);
  });
});

describe('settings', () => {
  it('come from flags, then a named profile, then the environment, then the profile file', async () => {
    const { key } = await createTenant(service);
    const sourced = join(folder, 'demo.env');
    await writeFile(sourced, `COMANDA_URL=${service.url}\nCOMANDA_KEY='${key}'\n`);
    const list = ['merchants', 'list', '--json'];
    expect((await comanda([...list, '--profile', sourced])).code).toBe(0);
    expect((await comanda([...list, '--url', service.url, '--key', key])).code).toBe(0);
    expect((await comanda(list, { environment: { COMANDA_PROFILE: sourced } })).code).toBe(0);
    const wrongKey = { COMANDA_URL: service.url, COMANDA_KEY: 'wrong' };
    expect((await comanda([...list, '--profile', sourced], { environment: wrongKey })).code).toBe(0);
    expect((await comanda(list, { environment: { ...wrongKey, COMANDA_PROFILE: sourced } })).code).toBe(4);
  });

  it.each([
    [['stores', 'list'], 2, 'No key.'],
    [['stores', 'list', '--profile', '/nonexistent'], 2, 'Cannot read the profile'],
    [['stores', 'list', '--url', 'localhost', '--key', 'k'], 2, 'must start with http'],
    [['stores', 'list', '--url', 'http://127.0.0.1:2', '--key', 'k'], 3, 'cannot be reached'],
    [['stores', 'sing'], 2, 'unknown command'],
    [['orders', 'status', 'x', 'EATEN', '--key', 'k'], 2, 'Expected one of PENDING'],
  ])('%j ends with %i', async (words, code, text) => {
    const ran = await comanda(words);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(text);
  });

  it('says an error as JSON when asked', async () => {
    const { code, err } = await asOperator('merchants', 'show', 'nothing', '--json');
    expect(code).toBe(5);
    expect(JSON.parse(err)).toEqual({
      error: { message: '404 Merchant not found', exit_code: 5, status: 404, detail: 'Merchant not found' },
    });
  });
});

describe('request', () => {
  it('prints what came, and ends with the code of a refusal', async () => {
    const { storeId } = await createTenant(service);
    const { out } = await asOperator('request', 'get', `/v1/stores/${storeId}`);
    expect(JSON.parse(out)).toMatchObject({ id: storeId });
    const post = ['request', 'POST', '/manage/v1/merchants', '--data'];
    const made = await asOperator(...post, '{"brand_name":"Raw"}', '-i');
    expect(made.out).toMatch(/^HTTP 201\n[^]*"brand_name":"Raw"/);
    const refused = await asOperator(...post, '{');
    expect([refused.code, JSON.parse(refused.out)]).toMatchObject([
      6,
      { detail: [{ type: 'json_invalid' }] },
    ]);
  });
});

describe('help', () => {
  it.each([40, 60, 100])('of every command fits a terminal of %i columns', async (columns) => {
    const { out: completions } = await comanda(['completion', 'bash']);
    const commands = [...completions.matchAll(/^ {4}'([^']*)'\) found=/gm)].map(([, path = '']) => path);
    expect(commands.length).toBeGreaterThan(30);
    for (const path of commands) {
      const words = path.split('/').filter((word) => word !== '');
      const { code, out } = await comanda([...words, '--help'], { columns });
      expect(code).toBe(0);
      const tooLong = out.split('\n').filter((line) => line.length > columns);
      expect(tooLong).toEqual([]);
    }
  });
});

describe('doctor', () => {
  it('fits a narrow terminal', async () => {
    const words = ['doctor', '--remote', '--url', service.url, '--key', 'nonsense'];
    const { out } = await comanda(words, { columns: 40 });
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    expect(out.replace(/\n {7}/g, ' ')).toContain(
      'wrong  The key (from the flag) is unknown, expired or revoked',
    );
  });

  it('finds nothing wrong where nothing is', async () => {
    const { key } = await createTenant(service, ['read', 'keys:write']);
    const environment = { COMANDA_URL: service.url, COMANDA_KEY: key };
    const { code, out } = await comanda(['doctor', '--remote'], { environment });
    expect(out).toContain('ok     The key (from the environment) is a merchant key and sees 1 store');
    expect(code).toBe(0);
  });

  it('looks where PORT says, unless an address is given', async () => {
    const { port } = new URL(service.url);
    const found = await comanda(['doctor', '--remote'], { environment: { PORT: port } });
    const unusable = await comanda(['doctor', '--remote'], { environment: { PORT: 'eighty' } });
    expect(unusable.out).toContain('http://127.0.0.1:8080');
    expect(found.out).toContain(`ok     The service answers at http://127.0.0.1:${port}\n`);
    const elsewhere = { PORT: port, COMANDA_URL: 'http://127.0.0.1:2' };
    expect((await comanda(['doctor', '--remote'], { environment: elsewhere })).out).toContain(
      'cannot be reached',
    );
  });

  it('tells when vacuum falls behind', async () => {
    const doctor = ['doctor', '--remote', '--url', service.url, '--key', service.operatorKey];
    const run = (text: string) => service.db.withClient((client) => client.query(text));
    expect((await comanda(doctor)).out).toContain('ok     Vacuum is keeping up');
    await run('ALTER TABLE order_history SET (autovacuum_enabled = off)');
    await run(
      `INSERT INTO order_history (store_key, order_id, revision, field, changed_at, key_id)
       SELECT 2000000000, gen_random_uuid(), 1, 'is_read', now(), 'key' FROM generate_series(1, 12000)`,
    );
    await run('UPDATE order_history SET revision = 2 WHERE store_key = 2000000000');
    await run('SELECT pg_stat_force_next_flush()');
    await expect
      .poll(async () => (await comanda(doctor)).out)
      .toMatch(
        /note {3}Vacuum is falling behind: 50 % of the rows of order_history are dead; last vacuum: never/,
      );
    await run('DELETE FROM order_history WHERE store_key = 2000000000');
    // The server hears of the deleted rows a while later, perhaps after the vacuum.
    const outAfterVacuum = async () => {
      await run('VACUUM order_history');
      return (await comanda(doctor)).out;
    };
    await expect.poll(outAfterVacuum).toContain('ok     Vacuum is keeping up');
  });

  it('says what is wrong and what to do', async () => {
    const unknown = await comanda([
      'doctor',
      '--remote',
      '--json',
      '--url',
      service.url,
      '--key',
      'nonsense',
    ]);
    expect(unknown.code).toBe(1);
    expect(JSON.parse(unknown.out)).toContainEqual({
      state: 'wrong',
      what: 'The key (from the flag) is unknown, expired or revoked',
      todo: 'Ask the operator for a new one: comanda keys create',
    });
    const nowhere = await comanda(['doctor', '--remote', '--url', 'http://127.0.0.1:2']);
    expect(nowhere.code).toBe(1);
    expect(nowhere.out).toContain('cannot be reached');
  });
});
