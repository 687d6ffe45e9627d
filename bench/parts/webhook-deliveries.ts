import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench, Part } from '../bench.js';
import { createStore } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { interleave } from '../measure/interleave.js';
import { ratios, spreadOf } from '../measure/statistics.js';
import { withService, type Setting } from './setting.js';
import { ORDER } from './writers.js';

/** As many as one webhook is sent at once. */
const STORES = 8;
const EVENTS_PER_STORE = 250;
const EVENTS = STORES * EVENTS_PER_STORE;
const ROUNDS = 3;
const FETCH_LOOP = fileURLToPath(new URL('../limits/fetch-loop.js', import.meta.url));

export const webhookDeliveries: Part = {
  name: 'webhook-deliveries',
  title: 'Deliveries to a webhook',
  short: 'Webhooks',
  notes: [
    `A webhook that begins at the start of ${STORES} stores with ${EVENTS_PER_STORE} events each, to a receiver on the same machine that answers`,
    'at once: the service sends one event a store at a time, so that their order is kept, signs each, and writes down what came of it.',
    `Reference: a process with ${STORES} loops of \`fetch\` that post the body of such an event to the same receiver.`,
  ],
  run: (bench) =>
    withService(bench, (setting) => measureDeliveries(bench, setting), {
      env: { COMANDA_WEBHOOK_ALLOW: '127.0.0.0/8' },
    }),
};

async function measureDeliveries(bench: Bench, { service, tenant }: Setting): Promise<Figure[]> {
  const stores = await Promise.all(
    Array.from({ length: STORES }, (_, at) => createStore(service, tenant, `Store ${at}`)),
  );
  bench.step('taking orders in');
  const fill = async (store: string) => {
    for (let count = 0; count < EVENTS_PER_STORE; count += 1)
      await service.ask({ path: `/manage/v1/stores/${store}/orders`, key: tenant.key, body: ORDER });
  };
  await Promise.all(stores.map(fill));

  const receiver = await startReceiver();
  const deliver = async () => {
    receiver.clear();
    const begun = performance.now();
    const { id } = await service.ask<{ id: string }>({
      path: '/manage/v1/webhooks',
      body: { url: receiver.url, merchant_id: tenant.merchantId, types: ['order.created'], from: 'start' },
    });
    while (receiver.count() < EVENTS) await delay(5);
    const rate = EVENTS / ((performance.now() - begun) / 1000);
    await service.ask({ path: `/manage/v1/webhooks/${id}`, method: 'DELETE' });
    return rate;
  };
  await deliver();
  const settings = { url: receiver.url, body: receiver.last(), count: EVENTS, loops: STORES };
  const fetchBare = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [FETCH_LOOP, JSON.stringify(settings)]);
    return Number(stdout);
  };
  bench.step('sending');
  const rates = await interleave(ROUNDS, { service: deliver, reference: fetchBare });
  receiver.stop();
  const describe = (side: readonly number[]) => `${Math.round(spreadOf(side).median).toLocaleString('en')}/s`;
  return [
    {
      name: `${EVENTS.toLocaleString('en')} events, ${STORES} at once`,
      unit: 'ratio',
      target: { atLeast: 0.5 },
      value: ratios(rates.service, rates.reference),
      service: describe(rates.service),
      reference: describe(rates.reference),
    },
  ];
}

/** Answers at once, counts the events that it has not had before, and keeps the last body. */
async function startReceiver() {
  let last = '';
  const ids = new Set<unknown>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      ids.add(request.headers['webhook-id']);
      last = Buffer.concat(pieces).toString();
      response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 72_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => ids.size,
    clear: () => ids.clear(),
    last: () => last,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
