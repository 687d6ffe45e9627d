import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { interleave, ratioFigure } from '../measure/compare.js';
import { requestBytes } from '../measure/load.js';
import { startProgram } from '../servers/programs.js';
import { publishMenu, treePath } from '../servers/service.js';

const ROUNDS = 7;
const POSTS_PER_ROUND = 4;

export const publish: Part = {
  name: 'publish',
  title: 'POST menu configuration, PATCH of one price',
  notes: `Each POST changes a price, so each is a new version. Its time runs from the first byte sent to the last byte of the tree
received. Reference: \`bench/references/json-round-trip.ts\`, \`JSON.parse\` of the body plus \`JSON.stringify\` of its tree.
The reference of a change is the POST of the whole menu.`,
  run: async (bench) => {
    const setting = await bench.shared();
    const { service, tenant } = setting;
    const headers = { 'x-api-key': tenant.key };
    // One edition more than posts in a round, so that none is the current one.
    const editions = Array.from({ length: POSTS_PER_ROUND + 1 }, (_, i) => menuJson(MENUS[1000], i));
    const storeId = await publishMenu(setting, editions[0] ?? '');
    const path = treePath(storeId);
    const requests = editions.map((body) => requestBytes({ path, headers, body }));
    const files = { body: join(bench.folder, 'posted.json'), tree: join(bench.folder, 'tree.json') };
    await writeFile(files.body, editions[0] ?? '');
    await writeFile(files.tree, JSON.stringify(await service.ask(path, { key: tenant.key })));
    const roundTrip = startProgram('references/json-round-trip', files);
    const changes = editions.map((_, i) => {
      const change = { kind: 'item', external_id: 'item-0', set: { price: 5_000 + i } };
      const body = JSON.stringify({ changes: [change] });
      return requestBytes({ path: `/manage/v1/stores/${storeId}/menu`, method: 'PATCH', headers, body });
    });
    let sent = 0;
    const send = async (all: readonly Buffer[]) => {
      sent += POSTS_PER_ROUND;
      const rotated = all.map((_, i) => all[(sent + i) % all.length] as Buffer);
      const job = { requests: rotated, connections: 1, durationMs: 60_000, most: POSTS_PER_ROUND };
      return (await bench.load.run({ port: service.port, ...job })).latency.median;
    };
    const times = await interleave(ROUNDS, {
      service: () => send(requests),
      change: () => send(changes),
      reference: () => roundTrip.run<number>({ times: POSTS_PER_ROUND }),
    });
    await roundTrip.stop();
    const describe = (ms: number) => `${ms.toFixed(0)} ms`;
    return [
      ratioFigure('1,000 items, 3,000 modifiers', times.service, times.reference, describe),
      ratioFigure('one price of 1,000 items', times.change, times.service, describe),
    ];
  },
};
