import { signWebhook, verifyWebhook, WebhookVerificationError } from '#sdk';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const SECRET = newSecret();
const EVENT = { id: 'evt_1', type: 'webhook.test', timestamp: '2026-11-15T12:00:00.000Z', data: { é: '🍕' } };
const BODY = JSON.stringify(EVENT);

function signed(body = BODY, at = new Date(), secret = SECRET): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  };
}

const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000);

describe('verifyWebhook', () => {
  it('accepts what the reference implementation signs, as text and bytes, with any kind of headers', async () => {
    const headers = signed();
    const node = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)])
      for (const given of [headers, new Headers(headers), node])
        expect(await verifyWebhook(body, given, SECRET)).toEqual(EVENT);
  });

  it('signs what the reference implementation accepts, whatever is in it', async () => {
    const any = fc.record({
      body: fc.json(),
      id: fc.stringMatching(/^[\w-]{1,40}$/),
      key: fc.uint8Array({ minLength: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(any, async ({ body, id, key }) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const headers = await signWebhook(body, { id, timestamp: new Date(), secret });
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body));
      }),
    );
  });

  it('accepts either secret while they are rotated', async () => {
    const next = newSecret();
    const both = {
      ...signed(),
      'webhook-signature': `${signed()['webhook-signature'] ?? ''} ${signed(BODY, new Date(), next)['webhook-signature'] ?? ''}`,
    };
    for (const secret of [SECRET, next, [newSecret(), next]])
      expect(await verifyWebhook(BODY, both, secret)).toEqual(EVENT);
  });

  const refusal = (body: string, headers: Record<string, string | undefined>, secret = SECRET) =>
    verifyWebhook(body, headers, secret).then(
      () => 'accepted',
      (error: unknown) => (error instanceof WebhookVerificationError ? error.message : String(error)),
    );

  it('refuses what was changed, is not signed, or is signed by another', async () => {
    const noFit = "No signature matches; check the webhook's secret";
    expect(await refusal(BODY.replace('🍕', '🍔'), signed())).toBe(noFit);
    expect(await refusal(BODY, { ...signed(), 'webhook-id': 'evt_2' })).toBe(noFit);
    expect(await refusal(BODY, signed(), newSecret())).toBe(noFit);
    const good = signed()['webhook-signature'] ?? '';
    for (const signature of [
      'v1,',
      'v1',
      good.replace('v1,', 'v2,'),
      good.slice(0, -3),
      'v1,%%%%',
      `${good}x`,
    ])
      expect([signature, await refusal(BODY, { ...signed(), 'webhook-signature': signature })]).toEqual([
        signature,
        noFit,
      ]);
    const flood = `${'v1,AAAA '.repeat(100)}${good}`;
    expect(await refusal(BODY, { ...signed(), 'webhook-signature': flood })).toBe(noFit);
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'refuses one without %s',
    async (name) => {
      for (const value of [undefined, ''])
        expect(await refusal(BODY, { ...signed(), [name]: value })).toBe(`The ${name} header is missing`);
    },
  );

  it('refuses what is more than five minutes old or early', async () => {
    expect(await refusal(BODY, signed(BODY, secondsFromNow(-295)))).toBe('accepted');
    expect(await refusal(BODY, signed(BODY, secondsFromNow(295)))).toBe('accepted');
    expect(await refusal(BODY, signed(BODY, secondsFromNow(-302)))).toBe('The webhook is too old');
    expect(await refusal(BODY, signed(BODY, secondsFromNow(302)))).toBe(
      'The timestamp of the webhook is in the future; check the clock',
    );
    const old = signed(BODY, secondsFromNow(-3000));
    expect(await verifyWebhook(BODY, old, SECRET, { toleranceSeconds: 3600 })).toEqual(EVENT);
    for (const timestamp of ['soon', '1e9', '-5', '0x10', ' 5', '9'.repeat(40)])
      expect(await refusal(BODY, { ...signed(), 'webhook-timestamp': timestamp })).toBe(
        'The webhook-timestamp header is not a number of seconds',
      );
  });

  it.each(['', 'whsec_', 'whsec_%%%'])('says that %j is no secret', async (secret) => {
    await expect(verifyWebhook(BODY, signed(), secret)).rejects.toThrow('whsec_ followed by base64');
  });
});
