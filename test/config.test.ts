import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config.js';
import { makeTestFolder } from './harness/test-folder.js';

const folder = makeTestFolder();

const refusalOf = (environment: Record<string, string>): string => {
  try {
    loadConfig(environment);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

const ADDRESS =
  'a postgres:// or postgresql:// address (in the password write / as %2F, # as %23, ? as %3F and @ as %40); ' +
  'target_session_attrs, if given, must be any, read-write or primary';

describe('loadConfig', () => {
  it('has a default for everything', () => {
    expect(loadConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      databaseUrl: undefined,
      operatorKey: undefined,
      secretKey: undefined,
      webhookAllow: [],
      trustedProxies: [
        { address: '127.0.0.0', prefix: 8 },
        { address: '::1', prefix: 128 },
      ],
      demo: 'in a terminal',
      warnings: [],
      logLevel: 'info',
      logFormat: undefined,
      limits: {
        menuBytes: 16 * 1024 * 1024,
        jsonDepth: 32,
        items: 10_000,
        modifierItems: 10_000,
        modifierGroups: 5_000,
        categories: 2_000,
        menus: 200,
        treeBytes: 128 * 1024 * 1024,
        requestsPerSecond: 200,
        requestBurst: 2_000,
        menuPostsPerMinute: 60,
        headerBytes: 16 * 1024,
        requestSeconds: 30,
        importLineBytes: 1024 * 1024,
        importIdleSeconds: 30,
      },
    });
  });

  it.each([
    ['PORT', '80a', 'PORT is "80a"; expected a port from 0 to 65535.'],
    ['PORT', '65536', 'PORT is "65536"; expected a port from 0 to 65535.'],
    ['DATABASE_URL', 'mysql://a:secret@b/c', `DATABASE_URL is "mysql://***@b/c"; expected ${ADDRESS}.`],
    [
      'DATABASE_URL',
      'postgres://a:se/cr@et#@b/c',
      `DATABASE_URL is "postgres://***@b/c"; expected ${ADDRESS}.`,
    ],
    [
      'DATABASE_URL',
      'mysql://b/c?password=secret&user=a',
      `DATABASE_URL is "mysql://b/c?password=***&user=a"; expected ${ADDRESS}.`,
    ],
    [
      'DATABASE_URL',
      'postgres://a,b/c?target_session_attrs=standby',
      `DATABASE_URL is "postgres://a,b/c?target_session_attrs=standby"; expected ${ADDRESS}.`,
    ],
    [
      'COMANDA_REQUEST_TIMEOUT_SECONDS',
      '2147484',
      'COMANDA_REQUEST_TIMEOUT_SECONDS is "2147484"; expected a number of seconds from 1 to 86400.',
    ],
    [
      'COMANDA_IMPORT_IDLE_SECONDS',
      '0',
      'COMANDA_IMPORT_IDLE_SECONDS is "0"; expected a number of seconds from 1 to 86400.',
    ],
    [
      'COMANDA_TRUSTED_PROXIES',
      '10.0.0.0/33',
      'COMANDA_TRUSTED_PROXIES is "10.0.0.0/33"; expected addresses or ranges such as 10.0.0.0/8 or fd00::/8, separated by commas.',
    ],
    ['COMANDA_DEMO', 'yes', 'COMANDA_DEMO is "yes"; expected on or off.'],
    [
      'COMANDA_RATE_LIMIT',
      'none',
      'COMANDA_RATE_LIMIT is "none"; expected off, or at least 1 request per second.',
    ],
    [
      'LOG_LEVEL',
      'loud',
      'LOG_LEVEL is "loud"; expected one of fatal, error, warn, info, debug, trace, silent.',
    ],
    [
      'COMANDA_OPERATOR_KEY',
      'short',
      'COMANDA_OPERATOR_KEY is a text of 5 characters; expected 32 to 255 printable ASCII characters, no space at either end.',
    ],
  ])('refuses %s=%s and says what is allowed', (name, value, message) => {
    expect(refusalOf({ [name]: value })).toBe(message);
  });

  it('reads proxies as addresses and ranges, in place of this machine', () => {
    expect(loadConfig({ COMANDA_TRUSTED_PROXIES: '10.0.0.5, fd00::/8' }).trustedProxies).toEqual([
      { address: '10.0.0.5', prefix: 32 },
      { address: 'fd00::', prefix: 8 },
    ]);
  });

  it('shows every wrong value at once', () => {
    expect(refusalOf({ PORT: 'x', LOG_LEVEL: 'y' }).split('\n')).toHaveLength(2);
  });

  it('names settings that do not exist, with the nearest that does', () => {
    const environment = {
      COMANDA_DRIAN_SECONDS: '2',
      COMANDA_DEM: 'off',
      COMANDA_COLOUR_OF_THE_SKY: '',
      COMANDA_RATE_LIMIT: 'off',
      COMANDA_MENU_POSTS_PER_MINUTE: '1',
      COMANDA_KEY: 'of the command line',
      PROT: '1',
    };
    expect(loadConfig(environment).warnings).toEqual([
      'Unknown setting COMANDA_COLOUR_OF_THE_SKY.',
      'Unknown setting COMANDA_DEM. Did you mean COMANDA_DEMO?',
      'Unknown setting COMANDA_DRIAN_SECONDS. Did you mean COMANDA_DRAIN_SECONDS?',
    ]);
  });

  it('reads the operator key from a file', () => {
    const file = join(folder, 'key');
    writeFileSync(file, `${'k'.repeat(32)}\n`);
    expect(loadConfig({ COMANDA_OPERATOR_KEY_FILE: file }).operatorKey).toBe('k'.repeat(32));
    expect(refusalOf({ COMANDA_OPERATOR_KEY_FILE: `${file}.missing` })).toContain(
      'COMANDA_OPERATOR_KEY_FILE',
    );
  });

  it('refuses an open bind without an operator key from outside', () => {
    expect(refusalOf({ HOST: '0.0.0.0' })).toContain('COMANDA_OPERATOR_KEY');
    expect(refusalOf({ HOST: '::' })).toContain('HOST');
    expect(loadConfig({ HOST: '0.0.0.0', COMANDA_OPERATOR_KEY: 'k'.repeat(32) }).host).toBe('0.0.0.0');
    expect(loadConfig({ HOST: '::1' }).host).toBe('::1');
  });

  it('knows no variable that the documentation does not', () => {
    const source = readFileSync(new URL('../src/config.ts', import.meta.url), 'utf8');
    const documentation = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');
    const names = new Set(source.match(/'(?:COMANDA_[A-Z_]+|HOST|PORT|DATABASE_URL|LOG_LEVEL)'/g));
    expect(names.size).toBeGreaterThan(20);
    for (const name of names) expect(documentation).toContain(`\`${name.slice(1, -1)}\``);
  });
});
