import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readTextIfThere } from '../../../src/postgres/bundled/files.js';
import { folderForTest } from '../../harness/process.js';

it('a file that the user may not read is told with what to do', async () => {
  const folder = await folderForTest();
  await chmod(folder, 0o755);
  const path = join(folder, 'operator.key');
  await writeFile(path, 'secret', { mode: 0o000 });
  // Root may read everything.
  if (process.geteuid?.() === 0) {
    process.seteuid?.(60_999);
    onTestFinished(() => process.seteuid?.(0));
  }
  await expect(readTextIfThere(path)).rejects.toThrow(
    `User ${process.getuid?.() ?? 0} may not read ${path}. Change its owner, then start again.`,
  );
});
