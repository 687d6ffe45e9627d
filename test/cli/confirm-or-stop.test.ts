import { describe, expect, it } from 'vitest';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
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
      out: `The key ${keyId} no longer works.\n`,
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
