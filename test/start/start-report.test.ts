import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { reachableUrl, reportStart, startLines, type StartFacts } from '../../src/start/start-report.js';

const first: StartFacts = {
  version: '1.2.3',
  url: 'http://127.0.0.1:8080',
  database: {
    serverVersion: '18.4',
    isBundled: true,
    isNew: true,
    place: '/srv/data/postgres',
    programs: undefined,
  },
  migrated: [],
  demo: {
    loaded: { stores: 3, orders: 700 },
    keyFile: '/srv/data/demo.env',
    consoleCode: 'once',
    guestCode: 'abc',
  },
  operatorKeyFile: '/srv/data/operator.key',
};
const SIGN_IN =
  'COMANDA_URL=http://127.0.0.1:8080 COMANDA_KEY=$(cat /srv/data/operator.key) npx comanda console-link';
const second: StartFacts = {
  ...first,
  database: { ...first.database, isNew: false },
  migrated: [],
  demo: { loaded: undefined, keyFile: '/srv/data/demo.env', consoleCode: undefined, guestCode: 'abc' },
};

describe('startLines', () => {
  it('tells everything at the first start, aligned', () => {
    expect(startLines(first)).toEqual([
      'Comanda 1.2.3',
      '  Database  PostgreSQL 18.4, bundled, new in /srv/data/postgres',
      '  Demo      Casa Comanda, 3 stores, 700 orders from the last four weeks',
      '  API       http://127.0.0.1:8080/v1',
      '  Docs      http://127.0.0.1:8080/docs',
      '  Console   http://127.0.0.1:8080/console#code=once (signed in, once, within 10 minutes)',
      '  Guest     http://127.0.0.1:8080/order/abc',
      '  Demo key  /srv/data/demo.env',
      '  Operator  /srv/data/operator.key (may do everything)',
      '  Try it    . /srv/data/demo.env && curl -H "x-api-key: $COMANDA_KEY" "$COMANDA_URL/v1/stores/"',
      '  Stop      Ctrl-C',
    ]);
  });

  it('is shorter at the next', () => {
    expect(startLines(second)).toEqual([
      'Comanda 1.2.3',
      '  API       http://127.0.0.1:8080/v1',
      '  Docs      http://127.0.0.1:8080/docs',
      '  Console   http://127.0.0.1:8080/console',
      '  Guest     http://127.0.0.1:8080/order/abc',
      `  Sign in   ${SIGN_IN}`,
      '  Demo key  /srv/data/demo.env',
      '  Operator  /srv/data/operator.key (may do everything)',
      '  Stop      Ctrl-C',
    ]);
  });

  it('says whose programs run', () => {
    const own = { ...first.database, programs: '/usr/lib/postgresql/18/bin' };
    expect(startLines({ ...first, database: own })).toContain(
      '  Database  PostgreSQL 18.4, of /usr/lib/postgresql/18/bin, new in /srv/data/postgres',
    );
  });

  it('says how to get a link into the console whatever keys there are', () => {
    const signIn = (facts: Partial<StartFacts>) =>
      startLines({ ...second, ...facts }).find((line) => line.startsWith('  Sign in'));
    expect(signIn({ operatorKeyFile: undefined })).toBe(
      '  Sign in   npx comanda --profile /srv/data/demo.env console-link',
    );
    expect(signIn({ operatorKeyFile: undefined, demo: undefined })).toBe(
      '  Sign in   npx comanda --url http://127.0.0.1:8080 console-link (with a key in COMANDA_KEY)',
    );
  });

  it('tells of a migration whenever there was one', () => {
    expect(startLines({ ...second, migrated: ['0004_more.sql'] })).toContain('  Migrated  0004_more');
  });

  it('gives a line to paste also for a folder with spaces and quotes', () => {
    const demo = {
      loaded: { stores: 3, orders: 1 },
      keyFile: "/home/o'brien/my data/demo.env",
      consoleCode: undefined,
      guestCode: undefined,
    };
    expect(startLines({ ...first, demo }).join('\n')).toContain(
      `. '/home/o'\\''brien/my data/demo.env' && curl`,
    );
  });
});

describe('reportStart', () => {
  const collect = () => {
    const entries: string[] = [];
    return { entries, log: pino({ level: 'info' }, { write: (line: string) => void entries.push(line) }) };
  };

  it('writes one JSON entry where there is no terminal, without any key or code', () => {
    const { entries, log } = collect();
    reportStart(first, log, undefined);
    expect(entries).toHaveLength(1);
    expect(JSON.parse(entries[0] ?? '')).toMatchObject({
      msg: 'Comanda is ready on http://127.0.0.1:8080',
      version: '1.2.3',
      migrated: first.migrated,
      demo: { stores: 3, orders: 700 },
      console: 'http://127.0.0.1:8080/console',
      signIn: SIGN_IN,
      demoKeyFile: '/srv/data/demo.env',
      operatorKeyFile: '/srv/data/operator.key',
    });
    expect(entries[0]).not.toContain('once');
  });

  it('writes lines, and nothing to the log, in a terminal', () => {
    const { entries, log } = collect();
    const written: string[] = [];
    reportStart(first, log, { write: (text: string) => written.push(text) > 0 });
    expect(entries).toEqual([]);
    expect(written.join('')).toBe(`\n${startLines(first).join('\n')}\n\n`);
  });
});

it('names an address that this machine can reach', () => {
  expect(reachableUrl('http://0.0.0.0:80')).toBe('http://127.0.0.1:80');
  expect(reachableUrl('http://[::]:80')).toBe('http://[::1]:80');
  expect(reachableUrl('http://10.0.0.1:80')).toBe('http://10.0.0.1:80');
});
