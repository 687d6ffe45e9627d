import { request } from 'node:http';
import { Readable } from 'node:stream';
import type { Service } from '../servers/service.js';
import { orderPieces, type OrderPlan } from './orders.js';

/** Sends the planned orders through the service's own import and waits until they are all there. */
export async function importOrders(service: Service, key: string, plan: OrderPlan): Promise<void> {
  await sendImport(service, key, Readable.from(orderPieces(plan), { objectMode: false }), plan.count);
}

export async function sendImport(service: Service, key: string, lines: Readable, count: number): Promise<void> {
  const answer = await new Promise<string>((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: service.port,
        path: '/manage/v1/orders/import',
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      },
    );
    outgoing.on('error', reject);
    lines.pipe(outgoing);
  });
  const { created } = JSON.parse(answer) as { created?: number };
  if (created !== count) throw new Error(`The import of ${count} orders answered ${answer.slice(0, 500)}`);
}
