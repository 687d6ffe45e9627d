import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { signIn } from './browser-session.js';

const service = await useService({ requestsPerSecond: 1_000, requestBurst: 10_000 });
const tenant = await createTenant(service);

const GUESSES = 35;
/** What the first twenty of an address need not wait for, whichever way they come. */
const LEAST_MS = 1_500;

it('keys and codes that do not hold are refused ever more slowly, together with those sent to the API', async () => {
  const begun = performance.now();
  let refused = 0;
  const note = async (attempt: Promise<{ status: number }>) => {
    expect((await attempt).status).toBe(401);
    refused += 1;
  };
  const guesses = Array.from({ length: GUESSES }, (_, nth) => [
    note(signIn(service, nth % 2 === 0 ? { key: `guess-${nth}` } : { code: `guess-${nth}` })),
    note(ask(`${service.url}/v1/stores/`, { key: `guess-${nth}` })),
  ]).flat();
  expect((await signIn(service, { key: tenant.key })).status).toBe(201);
  expect(refused).toBeLessThan(guesses.length);
  await Promise.all(guesses);
  expect(performance.now() - begun).toBeGreaterThan(LEAST_MS);
});
