import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { folderForTest, startForTest, startProcess } from '../harness/process.js';

/** Moments of a first start, from the loading of the programs to the demo's last orders; the last one is after it. */
const MOMENTS_MS = [0, 300, 600, 900, 1_300, 1_800, 2_500, 3_500, 5_000, 8_000];

it('heeds a signal at any moment of a first start, and leaves nothing half made', async () => {
  const dataDir = await folderForTest();
  const settings = { COMANDA_DATA_DIR: dataDir, COMANDA_DEMO: 'on' };
  for (const moment of MOMENTS_MS) {
    const service = await startProcess(settings);
    await delay(moment);
    service.child.kill('SIGTERM');
    // Before it listens for signals, it ends by them.
    expect([0, 'SIGTERM']).toContain(await service.ended);
    const entries = service
      .output()
      .split('\n')
      .filter((line) => line !== '');
    const grave = entries.filter((line) => (JSON.parse(line) as { level: number }).level > 30);
    expect(grave).toEqual([]);
    const left = await readdir(dataDir);
    expect(left.filter((name) => name.includes('.tmp') || name.includes('lock'))).toEqual([]);
  }
  const whole = await startForTest(settings);
  await whole.untilReady();
  await expect.poll(whole.output).toContain('Comanda is ready');
});
