import { inject, onTestFinished } from 'vitest';
import { administer } from '../harness/administer.js';

/** An empty database on the server of this run, gone after the test, as the address that a process of its own is told. */
export async function createDatabaseUrl(purpose: string): Promise<string> {
  const server = inject('server');
  const name = `comanda_${purpose}_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name}`);
  onTestFinished(() => administer(server, `DROP DATABASE ${name} WITH (FORCE)`));
  const { host = '', port = 5432, user = '', password } = server;
  const credentials = typeof password === 'string' && password !== '' ? `${user}:${password}` : user;
  return `postgres://${credentials}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
}
