import { verifyWebhook } from '#sdk';
import { describe, expect, it } from 'vitest';
import { takeIn } from '../harness/orders.js';
import { startReceiver } from '../harness/receiver.js';
import { useService } from '../harness/service.js';
import { createTenant, type Tenant } from '../harness/tenant.js';
import { eventsOf, type WebhookBody } from '../harness/webhooks.js';
import { comanda } from './command-line.js';

const service = await useService({}, { delivers: true });

const as = ({ key }: Pick<Tenant, 'key'>) => ({ COMANDA_URL: service.url, COMANDA_KEY: key });
const running =
  (tenant: Tenant) =>
  (...words: string[]) =>
    comanda(words, { environment: as(tenant) });
const json = ({ out }: { out: string }): unknown => JSON.parse(out);

describe('webhooks', () => {
  it('are made, tried, watched, replayed, rotated and removed', async () => {
    const tenant = await createTenant(service);
    const run = running(tenant);
    const receiver = await startReceiver();
    const flags = ['--type', 'order.created', '--label', 'Till\u001b[2J', '--store', tenant.storeId];
    const made = json(await run('webhooks', 'create', receiver.url, ...flags, '--json')) as WebhookBody;
    expect(made).toMatchObject({ url: receiver.url, types: ['order.created'], store_ids: [tenant.storeId] });

    expect((await run('webhooks', 'test', made.id)).out).toMatch(/^Delivered: 200 in \d+ ms\.\n$/);
    const [trial] = receiver.requests;
    expect(await verifyWebhook(trial?.body ?? '', trial?.headers ?? {}, made.secret)).toMatchObject({
      type: 'webhook.test',
    });

    await takeIn(service, tenant);
    await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(2);
    const deliveries = async () => (await run('webhooks', 'deliveries', made.id)).out.split('\n');
    await expect.poll(deliveries, { timeout: 20_000 }).toHaveLength(3);
    expect((await deliveries())[0]?.split('\t').slice(1, 4)).toEqual(['order.created', '200', '1']);
    const newest = await run('webhooks', 'deliveries', made.id, '--limit', '1', '--json');
    expect(json(newest)).toMatchObject([{ type: 'order.created', sequence: 1, status: 200 }]);

    const replay = ['webhooks', 'replay', made.id, '--store', tenant.storeId];
    expect(await run(...replay)).toEqual({ code: 0, out: '1 event will be sent.\n', err: '' });
    await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(3);
    expect((await run(...replay, '--after', 'nonsense')).code).toBe(6);

    const rotated = await run('webhooks', 'rotate', made.id);
    expect(rotated.out).toMatch(/^secret\twhsec_\S{44}$/m);
    expect(rotated.err).toBe('Save the secret now: it is shown only once.\n');

    const shown = await run('webhooks', 'show', made.id);
    expect(shown.out).toContain(`lag[0].store_id\t${tenant.storeId}\n`);
    const listed = await run('webhooks', 'list');
    expect(listed.out).toMatch(
      new RegExp(`^${made.id}\tactive\t${receiver.url}\tTill\ufffd\\[2J\t.*\torder\\.created\n$`),
    );
    expect((await run('webhooks', 'remove', made.id)).code).toBe(2);
    expect(await run('webhooks', 'remove', made.id, '--yes')).toEqual({
      code: 0,
      out: `Removed the webhook ${made.id}.\n`,
      err: '',
    });
    expect((await run('webhooks', 'show', made.id)).code).toBe(5);
    expect((await run('webhooks', 'list')).err).toBe('No webhooks.\n');
  });

  it('are changed field by field, and field by field cleared', async () => {
    const tenant = await createTenant(service);
    const run = running(tenant);
    const flags = [
      '--type',
      'order.created',
      '--label',
      'Till 1',
      '--store',
      tenant.storeId,
      '--include-order',
    ];
    const made = json(
      await run('webhooks', 'create', 'http://127.0.0.1:9/', ...flags, '--json'),
    ) as WebhookBody;
    const { secret: _, ...before } = made;
    const change = (...words: string[]) => run('webhooks', 'change', made.id, ...words, '--json');

    expect(json(await change('--skip-own'))).toEqual({ ...before, skip_own: true });
    const another = ['--to', 'http://127.0.0.1:10/', '--label', 'Till 2', '--type', 'order.updated'];
    expect(json(await change(...another, '--no-skip-own'))).toEqual({
      ...before,
      url: 'http://127.0.0.1:10/',
      label: 'Till 2',
      types: ['order.updated'],
    });
    const { label, types, store_ids: storeIds, ...bare } = before;
    expect([label, types, storeIds]).toEqual(['Till 1', ['order.created'], [tenant.storeId]]);
    const cleared = await change('--no-label', '--every-type', '--every-store', '--no-include-order');
    expect(json(cleared)).toEqual({ ...bare, url: 'http://127.0.0.1:10/', include_order: false });
    expect((await change('--every-store', '--store', tenant.storeId)).code).toBe(2);
    expect((await change('--to', 'ftp://127.0.0.1/')).code).toBe(6);
  });

  it('are disabled and enabled again, and go on where they stood', async () => {
    const tenant = await createTenant(service);
    const run = running(tenant);
    const receiver = await startReceiver();
    const { id } = json(await run('webhooks', 'create', receiver.url, '--json')) as WebhookBody;
    const disabled = await run('webhooks', 'disable', id);
    expect(disabled).toEqual({ code: 0, out: `The webhook ${id} is disabled.\n`, err: '' });
    expect((await run('webhooks', 'list')).out).toContain(`${id}\tdisabled: requested\t`);
    await takeIn(service, tenant);
    expect(json(await run('webhooks', 'show', id, '--json'))).toMatchObject({ lag: [{ behind: 1 }] });
    expect(receiver.requests).toEqual([]);
    const enabled = await run('webhooks', 'enable', id);
    expect(enabled).toEqual({ code: 0, out: `The webhook ${id} is active.\n`, err: '' });
    await expect
      .poll(() => eventsOf(receiver.requests), { timeout: 20_000 })
      .toMatchObject([{ sequence: 1 }]);
  });

  it('send a parked event again', async () => {
    const tenant = await createTenant(service);
    const run = running(tenant);
    let isRefused = true;
    const receiver = await startReceiver((_, response) => response.writeHead(isRefused ? 422 : 204).end());
    const { id } = json(await run('webhooks', 'create', receiver.url, '--json')) as WebhookBody;
    await takeIn(service, tenant);
    await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(1);
    // The seventh refusal, and the first was long ago.
    const refuseForLong = () =>
      service.db.query({
        name: 'test_refused_for_long',
        text: `UPDATE webhook_cursors SET attempts = 7, refusals = 7, next_attempt_at = now(),
                 first_refused_at = now() - interval '31 minutes' WHERE webhook_id = $1 AND refusals = 1 RETURNING 1`,
        values: [id],
      });
    await expect.poll(refuseForLong, { timeout: 20_000 }).toHaveLength(1);
    const parked = async () =>
      (json(await run('webhooks', 'show', id, '--json')) as WebhookBody).parked.map((one) => one.event_id);
    const [event = ''] = eventsOf(receiver.requests).map((one) => one.id);
    await expect.poll(parked, { timeout: 20_000 }).toEqual([event]);

    const failed = await run('webhooks', 'resend', id, event);
    expect([failed.code, failed.err]).toEqual([
      1,
      expect.stringMatching(/^Error: Rejected: 422 client_error in \d+ ms\.\n$/),
    ]);
    isRefused = false;
    expect((await run('webhooks', 'resend', id, event)).out).toMatch(/^Delivered: 204 in \d+ ms\.\n$/);
    expect(await parked()).toEqual([]);
    expect((await run('webhooks', 'resend', id, event)).code).toBe(5);
  });

  it('fail a test that is not taken, and say why', async () => {
    const tenant = await createTenant(service);
    const run = running(tenant);
    const receiver = await startReceiver((_, response) => response.writeHead(503).end('busy'));
    const { id } = json(await run('webhooks', 'create', receiver.url, '--json')) as WebhookBody;
    const failed = await run('webhooks', 'test', id);
    expect([failed.code, failed.out]).toEqual([1, '']);
    expect(failed.err).toMatch(/^Error: Rejected: 503 server_error in \d+ ms\.\n$/);
    expect(JSON.parse((await run('webhooks', 'test', id, '--json')).err)).toMatchObject({
      error: { exit_code: 1, detail: { delivered: false, status: 503, error: 'server_error' } },
    });
  });

  it('refuse what the service refuses, and what names no webhook', async () => {
    const run = running(await createTenant(service));
    const inside = await run('webhooks', 'create', 'http://169.254.169.254/');
    expect([inside.code, inside.err]).toEqual([6, expect.stringContaining('url: ')]);
    expect((await run('webhooks', 'create', 'http://127.0.0.1/', '--store', 'nowhere')).code).toBe(5);
    expect((await run('webhooks', 'show', 'till')).code).toBe(2);
    const reader = await createTenant(service, ['read']);
    expect((await running(reader)('webhooks', 'list')).code).toBe(4);
  });
});

describe('listen', () => {
  it('sends every event as a signed webhook, and again where it fails', async () => {
    const tenant = await createTenant(service);
    for (let i = 0; i < 3; i += 1) await takeIn(service, tenant);
    let isBroken = true;
    const receiver = await startReceiver((_, response) => {
      response.writeHead(isBroken ? 500 : 204).end();
      isBroken = false;
    });
    const wanted = ['listen', '--forward-to', receiver.url, '--after', 'start', '--include-order'];
    const { code, out, err } = await running(tenant)(...wanted, '--count', '3');
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split('\t').slice(1, 3))).toEqual([
      ['order.created', '204'],
      ['order.created', '204'],
      ['order.created', '204'],
      [],
    ]);
    const [, secret = ''] = /^Forwarding to \S+ Verify with the secret (whsec_\S+)$/m.exec(err) ?? [];
    expect(err).toMatch(/^order\.created evt_\S+: 500; retrying in 1 s\.$/m);
    expect(eventsOf(receiver.requests).map(({ sequence }) => sequence)).toEqual([1, 1, 2, 3]);
    for (const { body, headers } of receiver.requests) {
      expect(await verifyWebhook(body, headers, secret)).toMatchObject({ data: { order: { price: 390 } } });
      expect(headers['webhook-id']).toBe((JSON.parse(body) as { id: string }).id);
    }
  });

  it('gives an event up after four tries, never follows a redirect, and ends with 1', async () => {
    const tenant = await createTenant(service);
    await takeIn(service, tenant);
    const elsewhere = await startReceiver();
    const receiver = await startReceiver((_, response) =>
      response.writeHead(307, { location: elsewhere.url }).end(),
    );
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const wanted = ['listen', '--forward-to', receiver.url, '--after', 'start', '--secret', secret];
    const { code, out, err } = await running(tenant)(...wanted, '--count', '1', '--json');
    const [start = '', outcome = ''] = out.split('\n');
    expect(JSON.parse(start)).toEqual({ forward_to: receiver.url, secret });
    expect(JSON.parse(outcome)).toMatchObject({ sequence: 1, attempt: 4, status: 307, error: 'not taken' });
    expect(JSON.parse(err)).toMatchObject({
      error: { message: 'The receiver rejected 1 of 1 events.', exit_code: 1 },
    });
    expect([code, receiver.requests.length, elsewhere.requests.length]).toEqual([1, 4, 0]);
  }, 30_000);

  it.each([
    ['ftp://127.0.0.1/', []],
    ['http://a:b@127.0.0.1/', []],
    ['http://127.0.0.1/', ['--secret', 'whsec_']],
    ['http://127.0.0.1/', ['--secret', 'whsec_abcde']],
  ])('takes no %s %j', async (url, more) => {
    const environment = { COMANDA_URL: service.url, COMANDA_KEY: 'x' };
    expect((await comanda(['listen', '--forward-to', url, ...more], { environment })).code).toBe(2);
  });
});
