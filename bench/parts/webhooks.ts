import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Part } from '../bench.js';
import { ORDER } from '../data/orders.js';
import { count, interleave, ratioFigure } from '../measure/compare.js';
import { startProgram } from '../servers/programs.js';
import { createStore, takeInOrder } from '../servers/service.js';

/** As many as one webhook sends at once. */
const STORES = 8;
const EVENTS_PER_STORE = 250;
const EVENTS = STORES * EVENTS_PER_STORE;
const ROUNDS = 3;

export const webhooks: Part = {
  name: 'webhooks',
  title: 'Webhook deliveries',
  notes: `A webhook that begins at the start of ${STORES} stores with ${EVENTS_PER_STORE} events each, to a receiver on the same machine that responds at
once. The service sends one event per store at a time to keep their order, signs each, and records the outcome. Reference:
\`bench/references/fetch-loop.ts\`, ${STORES} loops of \`fetch\` that post the body of such an event to the same receiver.`,
  run: async (bench) => {
    const setting = await bench.shared();
    const { service, tenant } = setting;
    const fill = async () => {
      const storeId = await createStore(setting);
      for (let order = 0; order < EVENTS_PER_STORE; order += 1) await takeInOrder(setting, storeId, ORDER);
    };
    await Promise.all(Array.from({ length: STORES }, fill));

    const receiver = await startReceiver();
    const subscription = { merchant_id: tenant.merchantId, types: ['order.created'], from: 'start' };
    const deliver = async () => {
      receiver.ids.clear();
      const begun = performance.now();
      const { id } = await service.ask<{ id: string }>('/manage/v1/webhooks', {
        body: { ...subscription, url: receiver.url },
      });
      while (receiver.ids.size < EVENTS) await delay(5);
      const rate = EVENTS / ((performance.now() - begun) / 1000);
      await service.ask(`/manage/v1/webhooks/${id}`, { method: 'DELETE' });
      return rate;
    };
    await deliver();
    const settings = { url: receiver.url, body: receiver.lastBody };
    const fetchLoop = startProgram('references/fetch-loop', settings);
    const rates = await interleave(ROUNDS, {
      service: deliver,
      reference: () => fetchLoop.run<number>({ count: EVENTS, loops: STORES }),
    });
    await fetchLoop.stop();
    receiver.stop().closeAllConnections();
    const name = `${count(EVENTS)} events, ${STORES} at once`;
    return [ratioFigure(name, rates.service, rates.reference, (rate) => `${count(rate)}/s`)];
  },
};

/** Responds at once, counts the different events, and keeps the last body. */
async function startReceiver() {
  const receiver = { url: '', lastBody: '', ids: new Set<unknown>(), stop: () => server.close() };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      receiver.ids.add(request.headers['webhook-id']);
      receiver.lastBody = body;
      response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 72_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return receiver;
}
