import { expect, it } from 'vitest';
import { callMessage } from '../harness/assistant.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { comanda } from './command-line.js';

const service = await useService();
const TEXT = expect.any(String) as string;
const having = (members: object) => expect.objectContaining(members) as unknown;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
};

async function talk(key: string, messages: readonly unknown[], url = service.url) {
  const stdin = messages.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
  const { code, out } = await comanda(['mcp'], {
    environment: { COMANDA_URL: url, COMANDA_KEY: key },
    stdin,
  });
  const lines = out.split('\n').filter((line) => line !== '');
  return { code, answers: lines.map((line) => JSON.parse(line) as Record<string, unknown>).sort(byId) };
}

const byId = (a: Record<string, unknown>, b: Record<string, unknown>) => Number(a['id']) - Number(b['id']);

it('passes messages on, each answer on one line, in both protocols', async () => {
  const { key, storeId } = await createTenant(service);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const { code, answers } = await talk(key, [
    { jsonrpc: '2.0', id: 0, method: 'initialize', params },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    callMessage('list_stores', {}),
    {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'get_intake', arguments: { store_id: storeId }, _meta: META },
    },
  ]);
  expect(code).toBe(0);
  expect(answers).toEqual([
    { jsonrpc: '2.0', id: 0, result: having({ protocolVersion: '2025-11-25' }) },
    {
      jsonrpc: '2.0',
      id: 1,
      result: having({
        structuredContent: { stores: [having({ id: storeId })] },
      }),
    },
    {
      jsonrpc: '2.0',
      id: 2,
      result: having({ structuredContent: having({ state: 'open' }) }),
    },
  ]);
});

it('answers what cannot be passed on with an error, and goes on', async () => {
  const { key } = await createTenant(service);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await talk(key, ['{', list])).answers).toEqual([
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: TEXT } },
    { jsonrpc: '2.0', id: 1, result: having({ tools: expect.any(Array) as unknown }) },
  ]);
  // V8 quotes half of a character; strict readers of JSON refuse that.
  const [torn] = (await talk(key, ['[\u{1f354}'])).answers;
  expect(torn).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32700, message: TEXT } });
  expect(JSON.stringify(torn)).not.toMatch(/\\ud8/);
  // What the protocol says has its own codes, and no line ends the program.
  const of2031 = { ...META, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
  expect(
    (
      await talk(key, [
        'null',
        { jsonrpc: '2.0', id: 1, method: 'resources/list', params: { _meta: META } },
        { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta: of2031 } },
      ])
    ).answers,
  ).toEqual([
    { jsonrpc: '2.0', id: null, error: having({ code: -32600 }) },
    { jsonrpc: '2.0', id: 1, error: having({ code: -32601 }) },
    { jsonrpc: '2.0', id: 2, error: having({ code: -32022, data: having({ supported: ['2026-07-28'] }) }) },
  ]);
  expect((await talk('wrong', [list])).answers).toEqual([
    {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32000, message: expect.stringContaining('Invalid API key') as string },
    },
  ]);
  expect((await talk(key, [list], 'http://127.0.0.1:9')).answers).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32000, message: TEXT } },
  ]);
});
