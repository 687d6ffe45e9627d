import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

// No systemd runs where the tests do: the unit is read, and verified by systemd-analyze where that is there.
const PATH = 'packaging/comanda.service';
const settings = new Map(
  readFileSync(PATH, 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]\w*=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);
const hasAnalyser = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the systemd unit (read, not started)', () => {
  it('runs the same program as npm start, as a user of its own', () => {
    expect(settings.get('ExecStart')).toBe('/usr/bin/node dist/main.js');
    expect(readFileSync('scripts/start.js', 'utf8')).toContain("'../dist/main.js'");
    expect(settings.get('User')).toBe('comanda');
  });

  it('keeps its data where the service may write', () => {
    const folder = `/var/lib/${settings.get('StateDirectory') ?? ''}`;
    expect(settings.get('Environment')).toContain(`COMANDA_DATA_DIR=${folder}`);
    expect(settings.get('StateDirectoryMode')).toBe('0700');
  });

  it('tells the first process alone to stop, and waits longer than it drains', () => {
    expect(settings.get('KillMode')).toBe('mixed');
    expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThan(30);
  });

  it('takes away what the service does not need, but not what JavaScript does', () => {
    expect(settings.get('NoNewPrivileges')).toBe('yes');
    expect(settings.get('ProtectSystem')).toBe('strict');
    expect(settings.get('CapabilityBoundingSet')).toBe('');
    expect(settings.has('MemoryDenyWriteExecute')).toBe(false);
  });

  it.runIf(hasAnalyser)('is sound to systemd-analyze', () => {
    const { status, stderr, stdout } = spawnSync('systemd-analyze', ['verify', PATH], { encoding: 'utf8' });
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('comanda.service'));
    // Node may stand elsewhere on the machine that runs the tests; the unit is sound all the same.
    const others = lines.filter((line) => !line.includes('Command /usr/bin/node is not executable'));
    expect(others).toEqual([]);
    if (lines.length === 0) expect(status).toBe(0);
  });
});
