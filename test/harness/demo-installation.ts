import { rm } from 'node:fs/promises';
import { startProcess, temporaryFolder } from './process.js';

/** A new installation with the demo restaurant, in a folder of its own, as a reader of the documentation has it. */
export async function startDemoInstallation(): Promise<{
  url: string;
  folder: string;
  stop: () => Promise<void>;
}> {
  const folder = await temporaryFolder();
  const service = await startProcess({
    COMANDA_DATA_DIR: `${folder}/data`,
    COMANDA_DEMO: 'on',
  });
  await service.untilReady();
  const stop = async () => {
    service.child.kill('SIGTERM');
    await service.ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { url: service.url, folder, stop };
}
