import { expect, it } from 'vitest';
import { readEpoch, readEvents, readKeptRanges } from '../../src/events/events.sql.js';
import { backup, restore } from '../harness/backup.js';
import { startService, useService } from '../harness/service.js';

const service = await useService();

it('reads what is kept of a store, and nothing of another', async () => {
  await service.db.withClient((client) =>
    client.query(`
      INSERT INTO event_counters (store_key, first_sequence, last_sequence) VALUES (1, 3, 5), (2, 1, 1);
      INSERT INTO events (store_key, sequence, id, type, at, data)
      SELECT s.store_key, s.sequence, gen_random_uuid(), 'order.created', '2026-01-01T10:00:00.5Z', '{"n":1}'
      FROM (VALUES (1, 5), (1, 3), (1, 4), (2, 1)) AS s (store_key, sequence)`),
  );
  expect(await readKeptRanges(service.db, [1, 2, 3])).toEqual(
    new Map([
      [1, { first: 3, last: 5 }],
      [2, { first: 1, last: 1 }],
      [3, { first: 1, last: 0 }],
    ]),
  );
  const events = await readEvents(service.db, 1, 0, 2);
  expect(events.map(({ sequence }) => sequence)).toEqual([3, 4]);
  expect(events[0]).toEqual({
    sequence: 3,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    type: 'order.created',
    at: '2026-01-01T10:00:00.500Z',
    data: '{"n":1}',
  });
  expect((await readEvents(service.db, 1, 4, 10)).map(({ sequence }) => sequence)).toEqual([5]);
});

it('begins another epoch when a backup is restored', async () => {
  const [source, target] = [await startService(), await startService()];
  const [ofSource, before] = [await readEpoch(source.db), await readEpoch(target.db)];
  await restore(target, await backup(source));
  const after = await readEpoch(target.db);

  expect([ofSource, before]).not.toContain(after);
  await Promise.all([source.stop(), target.stop()]);
});
