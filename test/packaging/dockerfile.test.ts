import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProcess, temporaryFolder, untilStatus } from '../harness/process.js';
import { startService, type Service } from '../harness/service.js';
import { readStages, textsOf } from './dockerfile.js';

// No container engine runs where the tests do: the file is read and checked, and its parts that are programs are run,
// but the image itself is not built here.
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
    for (const install of installs) expect(install).toMatch(/^npm ci --ignore-scripts( --omit=\w+)+$/);
  });

  it('runs the same program as npm start, as a user without rights', () => {
    const [command] = textsOf(last, 'CMD');
    expect(JSON.parse(command ?? '[]')).toEqual(['node', 'dist/server.js']);
    expect(readFileSync('scripts/start.js', 'utf8')).toContain("'../dist/server.js'");
    const [user] = textsOf(last, 'USER');
    expect(user).toBe('node');
    const names = last.map(({ name }) => name);
    expect(names.lastIndexOf('RUN')).toBeLessThan(names.indexOf('USER'));
    expect(textsOf(last, 'STOPSIGNAL')).toEqual(['SIGTERM']);
  });
});

describe('the files of the image (laid out in a folder, not in an image)', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    for (const copy of textsOf(last, 'COPY')) {
      const paths = copy.replace(/^--from=\w+ /, '').split(' ');
      const target = paths.at(-1) ?? '.';
      for (const source of paths.slice(0, -1).map((path) => path.replace('/app/', ''))) {
        const place = join(folder, target.endsWith('/') ? join(target, basename(source)) : target);
        await mkdir(dirname(place), { recursive: true });
        if (source === 'node_modules') await symlink(resolve(source), place);
        else await cp(source, place, { recursive: true });
      }
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are enough for the service to answer', async () => {
    const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none';
    const { child, ended, url } = await startProcess({ DATABASE_URL }, join(folder, 'dist/server.js'));
    await untilStatus(`${url}/healthz`, 200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('are enough for the command line', async () => {
    const { stdout } = await promisify(execFile)('node', ['dist/cli/main.js', '--version'], { cwd: folder });
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
