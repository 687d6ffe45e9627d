import { json } from '../http/answer.js';
import type { Responder } from '../http/http-server.js';

/** The bare address: a person is led to the console, a program is told what is where. */
export function frontDoor(version: string): Responder {
  const addresses = {
    name: 'Comanda',
    version,
    console: '/console',
    docs: '/docs',
    api: '/v1',
    openapi: '/openapi.json',
    manage: '/manage/v1',
    manage_openapi: '/manage/openapi.json',
    health: '/healthz',
    readiness: '/readyz',
  };
  return {
    method: 'GET',
    path: '/',
    respond: ({ request }) => {
      const isPerson = request.headers.accept?.includes('text/html') === true;
      return isPerson
        ? { status: 302, headers: ['location', '/console', 'vary', 'accept'] }
        : json(addresses);
    },
  };
}
