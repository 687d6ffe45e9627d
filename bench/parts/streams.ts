import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Figure, Part } from '../bench.js';
import { ORDER } from '../data/orders.js';
import { spreadOf } from '../measure/compare.js';
import { createStore, startService, takeInOrder, type Service, type Setting } from '../servers/service.js';

export const streams: Part = {
  name: 'streams',
  title: 'Live event streams',
  notes: `The time from the response to an order until its event arrives on a stream: of the process that took in the order, and of another
on the same database, which polls twice a second.`,
  run: async (bench) => {
    const setting = await bench.shared();
    const env = { DATABASE_URL: setting.database.url, COMANDA_DATA_DIR: bench.folder };
    const other = await startService({ env });
    const figures = [
      await measureDelay('an event in the same process', setting, setting.service, 100),
      await measureDelay('an event in another process', setting, other, 20),
    ];
    await other.stop();
    return figures;
  },
};

async function measureDelay(
  name: string,
  setting: Setting,
  reader: Service,
  orders: number,
): Promise<Figure> {
  const storeId = await createStore(setting);
  const arrived = new Map<string, number>();
  const close = await openStream(reader, storeId, setting.tenant.key, (data) => {
    arrived.set((JSON.parse(data) as { data: { order_id: string } }).data.order_id, performance.now());
  });
  const delays: number[] = [];
  for (let i = 0; i < orders; i += 1) {
    const id = await takeInOrder(setting, storeId, ORDER);
    const responded = performance.now();
    while (!arrived.has(id)) await delay(1);
    // An event may be faster than the response.
    delays.push(Math.max(0, (arrived.get(id) ?? 0) - responded));
    // Not always at the same moment between two polls.
    await delay(Math.random() * 20);
  }
  close();
  return { name, unit: 'ms', value: spreadOf(delays), service: `${orders} orders`, reference: '' };
}

/** Follows the events of a store; `onEvent` gets the data of each. Returns a function that closes the stream. */
async function openStream(
  { port }: Service,
  storeId: string,
  key: string,
  onEvent: (data: string) => void,
): Promise<() => void> {
  const address = `http://127.0.0.1:${port}/manage/v1/stores/${storeId}/events/stream`;
  const request = get(address, { agent: false, headers: { 'x-api-key': key } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${address} returned ${response.statusCode}`);
  const lines = createInterface({ input: response });
  lines.on('line', (line) => {
    if (line.startsWith('data: ')) onEvent(line.slice(6));
  });
  for (const emitter of [request, response, lines]) emitter.on('error', () => undefined);
  return () => request.destroy();
}
