import { pino } from 'pino';
import { Registry } from 'prom-client';

const DIST = new URL('../../dist/', import.meta.url);

/** Both OpenAPI documents, from the built service; its pool is never asked for a connection. */
export async function readDocuments() {
  const { buildApp } = await import(new URL('app.js', DIST).href);
  const { loadConfig } = await import(new URL('config.js', DIST).href);
  const { openDatabase } = await import(new URL('postgres/database.js', DIST).href);
  const config = loadConfig({});
  const db = openDatabase({ connection: {}, poolSize: 1 });
  const metrics = new Registry();
  const app = buildApp({
    db,
    limits: config.limits,
    log: pino({ level: 'silent' }),
    operatorKey: undefined,
    corsOrigins: [],
    trustedProxies: [],
    readiness: { isReady: false },
    webhooks: {},
    metrics,
    readMetrics: () => metrics.metrics(),
  });
  try {
    const { port } = await app.listen('127.0.0.1', 0);
    const read = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).json();
    return [await read('/openapi.json'), await read('/manage/openapi.json')];
  } finally {
    await app.close();
    await db.close();
  }
}
