import { execFile, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { promisify } from 'node:util';
import { comanda } from '../cli/command-line.js';

const run = promisify(execFile);
const MAIN = 'dist/cli/main.js';

describe('the built command line', () => {
  it('starts, and ends with its codes', async () => {
    const { stdout } = await run(process.execPath, [MAIN, '--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const failed = spawnSync(process.execPath, [
      MAIN,
      'stores',
      'list',
      '--url',
      'http://127.0.0.1:2',
      '--key',
      'k',
    ]);
    expect([failed.status, failed.stdout.toString()]).toEqual([3, '']);
    expect(failed.stderr.toString()).toMatch(
      /^Error: http:\/\/127\.0\.0\.1:2 cannot be reached: ECONNREFUSED\n.*`comanda serve`.*\n$/,
    );
  });

  it('ends with 1 when the service that it is to run does not start', () => {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'serve'], {
      env: { ...process.env, PORT: 'eighty' },
    });
    expect(stderr.toString()).toMatch(/^Comanda did not start\.\nPORT /);
    expect(status).toBe(1);
  });

  it('does not mind a reader that has seen enough', () => {
    const { status, stderr } = spawnSync('bash', [
      '-c',
      `${process.execPath} ${MAIN} --help | head -n 1; exit \${PIPESTATUS[0]}`,
    ]);
    expect([status, stderr.toString()]).toEqual([0, '']);
  });
});

describe('the built client library', () => {
  it('can be imported and required', async () => {
    const imported = (await import('../../sdk/dist/esm/index.js')) as Record<string, unknown>;
    const required = createRequire(import.meta.url)('../../sdk') as Record<string, unknown>;
    expect(Object.keys(required).sort()).toEqual(Object.keys(imported).sort());
    expect(required['createClient']).toBeTypeOf('function');
  });
});

describe('completions', () => {
  it('complete commands and flags in bash', async () => {
    const { out } = await comanda(['completion', 'bash']);
    const complete = (...words: string[]) => {
      const asked = `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _comanda; echo "\${COMPREPLY[*]}"`;
      const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', asked]);
      expect(stderr.toString()).toBe('');
      return stdout.toString().trim().split(' ');
    };
    expect(complete('comanda', 'me')).toEqual(['merchants', 'menu']);
    expect(complete('comanda', 'menu', 'r')).toEqual(['restore']);
    expect(complete('comanda', 'menu', 'pu').sort()).toEqual(['publications', 'pull', 'push']);
    expect(complete('comanda', '--json', 'orders', 'list', 'store', '--st')).toEqual(['--status']);
  });

  it('are accepted by zsh, where there is one', async () => {
    const { out } = await comanda(['completion', 'zsh']);
    expect(out).toMatch(/^#compdef comanda\n/);
    const { error, status } = spawnSync('zsh', ['-n'], { input: out });
    expect(error === undefined ? status : 0).toBe(0);
  });
});
