import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../harness/free-port.js';
import { folderForTest, untilStatus } from '../harness/process.js';

/** The scripts in a folder where nothing is installed and nothing built. */
async function bareFolder(): Promise<string> {
  const folder = await folderForTest();
  await cp('scripts', join(folder, 'scripts'), { recursive: true });
  await cp('package.json', join(folder, 'package.json'));
  return folder;
}

function runScript(folder: string, name: string, npmCommand?: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', name)], {
    encoding: 'utf8',
    env: { ...process.env, npm_command: npmCommand },
  });
  return { code: status, stdout, stderr };
}

describe('after an install without the development packages', () => {
  it('says in a sentence that there is no build', async () => {
    expect(runScript(await bareFolder(), 'prepare.js')).toEqual({
      code: 0,
      stdout: '',
      stderr:
        'Comanda is installed but not built, since building needs the development packages: ' +
        'run `npm ci --include=dev`, or put a built `dist` and `sdk/dist` here.\n',
    });
  });

  it('says nothing where the build is there', async () => {
    const folder = await bareFolder();
    for (const path of ['dist/main.js', 'sdk/dist/esm/index.js']) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), '');
    }
    expect(runScript(folder, 'prepare.js')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

it('says that it builds, which takes a while', async () => {
  const folder = await bareFolder();
  await mkdir(join(folder, 'node_modules/typescript'), { recursive: true });
  // What it builds with is not there, so it gets no further than that.
  expect(runScript(folder, 'prepare.js', 'ci').stdout).toBe('Building Comanda; this takes up to a minute.\n');
});

describe('npm ci beside a running service of the same folder', () => {
  it.skipIf(process.platform !== 'linux').each(['scripts/start.js', 'dist/main.js'])(
    'is refused, and builds nothing, while %s runs',
    async (program) => {
      const folder = await bareFolder();
      await mkdir(join(folder, 'dist'));
      await writeFile(join(folder, 'dist/main.js'), 'console.log("runs"); setInterval(() => {}, 1000);');
      const service = spawn(process.execPath, [program], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(service, 'close');
      onTestFinished(async () => {
        service.kill('SIGKILL');
        await ended;
      });
      await once(service.stdout, 'data');
      expect(runScript(folder, 'prepare.js', 'ci')).toEqual({
        code: 1,
        stdout: '',
        stderr:
          `Comanda is running from this folder (process ${service.pid}), and its packages were replaced under it: ` +
          'requests may fail. Nothing was built. Stop it, run `npm ci` again, then start it.\n',
      });
      service.kill('SIGKILL');
      await ended;
      expect(runScript(folder, 'prepare.js', 'ci').stderr).toContain('installed but not built');
    },
  );
});

it('a start without a build says what to do', async () => {
  expect(runScript(await bareFolder(), 'start.js')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Comanda is not built: run `npm ci --include=dev` once, then start again.\n',
  });
});

it('cmd.exe finds a program for the `exec` that the scripts begin with', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect([scripts['start'], scripts['demo']]).toEqual([
    'exec node scripts/start.js',
    'exec node scripts/start.js demo',
  ]);
  const lines = (await readFile('exec.cmd', 'utf8')).trim().split(/\r?\n/);
  expect(lines.filter((line) => !line.startsWith('@rem '))).toEqual(['@%*']);
});

describe('npm start', () => {
  const starts = async () => {
    const port = await findFreePort();
    const npm = spawn('npm', ['start'], {
      env: { ...process.env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, as a terminal gives it one.
      detached: true,
    });
    const { pid = 0 } = npm;
    let output = '';
    npm.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
    const ended = once(npm, 'close').then(([code, signal]) => (code ?? signal) as number | string);
    let isOver = false;
    void ended.then(() => (isOver = true));
    onTestFinished(async () => {
      if (!isOver) process.kill(-pid, 'SIGKILL');
      await ended;
    });
    await untilStatus(`http://127.0.0.1:${port}/healthz`, 200);
    return { pid, ended, output: () => output };
  };

  it('hands the signal it gets on, and ends when the service has ended', async () => {
    const { pid, ended, output } = await starts();
    process.kill(pid, 'SIGTERM');
    expect(await ended).toBe(0);
    expect(output()).toContain('Stopping: finishing requests in progress');
  });

  it('does not mind a Ctrl-C that reaches it twice', async () => {
    const { pid, ended, output } = await starts();
    process.kill(-pid, 'SIGINT');
    process.kill(-pid, 'SIGINT');
    // npm itself may end by the one that comes when the service has ended already.
    expect([0, 'SIGINT']).toContain(await ended);
    expect(output().match(/Stopping/g)).toHaveLength(1);
  });
});
