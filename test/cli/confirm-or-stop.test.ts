import { describe, expect, it } from 'vitest';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { createWebhook, webhookClient } from '../harness/webhooks.js';
import { comanda } from './command-line.js';

const service = await useService();

async function revokeWhileTyping(stdin: string) {
  const { key, keyId } = await createTenant(service);
  const environment = { COMANDA_URL: service.url, COMANDA_KEY: service.operatorKey };
  const ran = await comanda(['keys', 'revoke', keyId], { environment, stdin, canAsk: true });
  const after = await comanda(['stores', 'list', '--url', service.url, '--key', key]);
  return { ...ran, keyId, stillWorks: after.code === 0 };
}

describe('a question', () => {
  it.each(['y\n', 'Y\n', ' yes \n', 'yes', 'y\nn\n'])('goes on after %j', async (typed) => {
    const { keyId, ...ran } = await revokeWhileTyping(typed);
    expect(ran).toEqual({
      code: 0,
      out: `Revoked the key ${keyId}.\n`,
      err: `Revoke the key ${keyId}? [y/N] `,
      stillWorks: false,
    });
  });

  it.each(['n\n', '\n', 'yesterday\n', 'n\ny\n'])('changes nothing after %j', async (typed) => {
    const { keyId, ...ran } = await revokeWhileTyping(typed);
    expect(ran).toEqual({
      code: 9,
      out: '',
      err: `Revoke the key ${keyId}? [y/N] Error: Nothing was changed.\n`,
      stillWorks: true,
    });
  });

  it('changes nothing when the terminal goes away', async () => {
    const { keyId, ...ran } = await revokeWhileTyping('');
    expect(ran).toEqual({
      code: 9,
      out: '',
      err: `Revoke the key ${keyId}? [y/N] \nError: Nothing was changed.\n`,
      stillWorks: true,
    });
  });
});

describe('revoking a key that has made webhooks', () => {
  const ASKED = 'It has made 2 webhooks: end them too? [y/N] ';
  const GO_ON = ' What it made goes on: 2 webhooks.';

  async function revokeWithWebhooks(flags: readonly string[], stdin?: string) {
    const { key, keyId } = await createTenant(service);
    const client = webhookClient(service, key);
    for (let made = 0; made < 2; made += 1) await createWebhook(client, { url: 'https://till.example/' });
    const environment = { COMANDA_URL: service.url, COMANDA_KEY: service.operatorKey };
    const ran = await comanda(['keys', 'revoke', keyId, ...flags], {
      environment,
      ...(stdin === undefined ? {} : { stdin, canAsk: true }),
    });
    const listed = await webhookClient(service, service.operatorKey).send<{ status: string }[]>(
      'GET',
      `?key_id=${keyId}`,
    );
    return { ...ran, keyId, states: listed.body.map(({ status }) => status) };
  }

  it.each([
    ['y\ny\n', ['disabled', 'disabled'], ''],
    ['y\nn\n', ['active', 'active'], GO_ON],
    ['y\n', ['active', 'active'], GO_ON],
  ])('asks whether they end too, and takes %j for an answer', async (typed, states, rest) => {
    const { keyId, ...ran } = await revokeWithWebhooks([], typed);
    expect(ran).toMatchObject({ code: 0, out: `Revoked the key ${keyId}.${rest}\n`, states });
    expect(ran.err).toContain(`Revoke the key ${keyId}? [y/N] ${ASKED}`);
  });

  it.each([
    [['--yes'], ['active', 'active']],
    [
      ['--yes', '--also', 'keys', 'publications'],
      ['active', 'active'],
    ],
    [
      ['--yes', '--also', 'webhooks'],
      ['disabled', 'disabled'],
    ],
  ])('asks nothing with %j', async (flags, states) => {
    expect(await revokeWithWebhooks(flags)).toMatchObject({ code: 0, err: '', states });
  });
});

describe('what cannot be sent', () => {
  const environment = { COMANDA_URL: service.url, COMANDA_KEY: service.operatorKey };

  it('is exit code 2: an argument that is empty, as a variable in a script may be', async () => {
    for (const [words, name] of [
      [['orders', 'status', '', 'accepted'], 'order'],
      [['orders', 'show', ''], 'order'],
      [['stores', 'show', ''], 'store'],
    ] as const)
      expect(await comanda(words, { environment })).toEqual({
        code: 2,
        out: '',
        err: `Error: The argument '${name}' is empty.\n`,
      });
  });

  it('is exit code 2: a key with characters that no header can have', async () => {
    for (const key of ['ключ', 'a\nb'])
      expect(
        await comanda(['stores', 'list'], { environment: { ...environment, COMANDA_KEY: key } }),
      ).toEqual({ code: 2, out: '', err: 'Error: The key has characters that no key has. Copy it again.\n' });
  });
});
