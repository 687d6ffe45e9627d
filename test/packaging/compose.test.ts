import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.js';
import { readStages, textsOf } from './dockerfile.js';

// No container engine runs where the tests do: the file is parsed and checked, not brought up.
interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly networks: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}
const compose = parse(readFileSync('compose.yaml', 'utf8')) as {
  readonly services: { readonly comanda: ComposeService; readonly postgres: ComposeService };
  readonly networks: Readonly<Record<string, { internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const { comanda, postgres } = compose.services;

const given = { POSTGRES_PASSWORD: 'secret42', COMANDA_OPERATOR_KEY: 'operator-key-of-thirty-two-chars' };

/** Compose's own forms: ${NAME:?why} must be set, ${NAME:-default} need not. */
function substitute(text: string): string {
  return text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = (given as Record<string, string>)[name];
    if (value === undefined && kind === '?') throw new Error(`${name}: ${rest}`);
    return value ?? rest;
  });
}

describe('compose.yaml (parsed, not brought up)', () => {
  it('gives the database the connections of many workers', () => {
    expect(postgres.command).toEqual(['postgres', '-c', 'max_connections=400']);
  });

  it('gives the service an environment that it accepts, without the demo', () => {
    const image = readStages(readFileSync('Dockerfile', 'utf8')).at(-1) ?? [];
    const fromImage = textsOf(image, 'ENV').flatMap((text) =>
      text.split(' ').map((pair) => pair.split('=') as [string, string]),
    );
    const fromCompose = Object.entries(comanda.environment).map(([name, text]) => [name, substitute(text)]);
    const config = loadConfig(Object.fromEntries([...fromImage, ...fromCompose]) as Record<string, string>);
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 8080,
      demo: 'off',
      dataDir: '/data',
      databaseUrl: 'postgres://comanda:secret42@postgres:5432/comanda',
      operatorKey: given.COMANDA_OPERATOR_KEY,
      // A proxy on the host comes through the gateway of a Docker network; nobody else can, as the port is on loopback.
      trustedProxies: [{ address: '172.16.0.0', prefix: 12 }],
    });
  });

  it('passes on every documented setting that has a meaning in the image', () => {
    const documented = [...readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| `([A-Z_]+)` /gm)].map(
      ([, name = '']) => name,
    );
    // The image decides the first three and has no PostgreSQL; compose demands the operator key itself.
    const left = ['HOST', 'PORT', 'COMANDA_DATA_DIR', 'COMANDA_POSTGRES_BIN', 'COMANDA_OPERATOR_KEY_FILE'];
    const passed = Object.keys(comanda.environment);
    expect(documented.length).toBeGreaterThan(30);
    expect([...passed].sort()).toEqual(documented.filter((name) => !left.includes(name)).sort());
    const own = ['DATABASE_URL', 'COMANDA_OPERATOR_KEY'];
    for (const name of passed.filter((each) => !own.includes(each)))
      expect(comanda.environment[name]).toMatch(new RegExp(`^\\$\\{${name}:-(auto|off|172.16.0.0/12)?\\}$`));
  });

  it('has the database that the service is told of, reachable from the service alone', () => {
    expect(postgres.environment['POSTGRES_USER']).toBe('comanda');
    expect(postgres.environment['POSTGRES_DB']).toBe('comanda');
    expect(substitute(postgres.environment['POSTGRES_PASSWORD'] ?? '')).toBe('secret42');
    expect(postgres.ports).toBeUndefined();
    expect(postgres.networks).toEqual(['inside']);
    expect(compose.networks['inside']?.internal).toBe(true);
    expect(comanda.networks).toContain('inside');
    expect(postgres.image).toMatch(/^postgres:1[5-9]-/);
  });

  it('starts the service once the database answers, and gives it the time it takes to stop', () => {
    expect(comanda.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(postgres.healthcheck?.test).toContain('pg_isready');
    expect(parseInt(comanda.stop_grace_period, 10)).toBeGreaterThan(30);
  });

  it('opens the port on loopback only and takes rights away', () => {
    expect(comanda.ports?.map(substitute)).toEqual(['127.0.0.1:8080:8080']);
    expect(comanda.read_only).toBe(true);
    expect(comanda.cap_drop).toEqual(['ALL']);
  });

  it('declares every volume and network it uses', () => {
    const used = [comanda, postgres].flatMap(({ volumes }) =>
      volumes.map((text) => text.split(':')[0] ?? ''),
    );
    expect(Object.keys(compose.volumes).sort()).toEqual(used.sort());
    expect(Object.keys(compose.networks)).toEqual(comanda.networks);
  });
});
