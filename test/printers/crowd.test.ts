import { it } from 'vitest';
import { printCrowd } from '../harness/print-crowd.js';
import { useService } from '../harness/service.js';

const service = await useService();

it('prints 200 orders on four printers of three replicas: each once without a mark, none missing, in order', async () => {
  await printCrowd(service, [service, await service.replica(), await service.replica()], 200);
}, 240_000);
