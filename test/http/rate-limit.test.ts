import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const service = await useService({ requestsPerSecond: 1_000, requestBurst: 10_000 });
const tenant = await createTenant(service);

const GUESSES = 40;
/** What the first twenty need not wait for. */
const LEAST_MS = 1_500;

it('keys that do not hold are refused ever more slowly, while one that holds is answered at once', async () => {
  const url = `${service.url}/v1/stores/${tenant.storeId}`;
  const begun = performance.now();
  let refused = 0;
  const guesses = Array.from({ length: GUESSES }, async (_, nth) => {
    const { status, body } = await ask(url, { key: `guess-${nth}` });
    refused += 1;
    return [status, body];
  });
  for (let round = 0; round < 3; round += 1) expect((await ask(url, { key: tenant.key })).status).toBe(200);
  expect(refused).toBeLessThan(GUESSES);
  const invalid = [401, { detail: 'Invalid API key' }];
  expect(await Promise.all(guesses)).toEqual(guesses.map(() => invalid));
  expect(performance.now() - begun).toBeGreaterThan(LEAST_MS);
  // No guess is made by sending none.
  expect((await ask(url)).body).toEqual({ detail: 'Not authenticated' });
});
