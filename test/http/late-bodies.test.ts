import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type } from '../../src/support/shape/type.js';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { compileReadBody } from '../../src/http/body.js';
import type { HttpRefusal } from '../../src/http/errors.js';

const WAITING = 50;
const whole = '{"a":1}';

it('waits for no body that has not come whole once the service ends, and takes one that has', async () => {
  const { limits } = loadConfig({});
  const spec = { kind: 'unchecked json', schema: Type.Object({}), example: {} } as const;
  const readBody = compileReadBody(spec, limits, AbortSignal.abort(), 'ignored');
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    // As after a wait for room, by which time all that was sent is here.
    await nextTurn();
    try {
      response.end(JSON.stringify(await readBody(request, response)));
    } catch (error) {
      response.end(String((error as HttpRefusal).status));
    }
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answerTo = async (body: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${whole.length}`;
    socket.write(`${head}\r\n\r\n${body}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString();
  };
  expect(await answerTo(whole)).toContain(whole);
  // One after the other, as they get room: a second for each would be too long.
  for (let nth = 0; nth < WAITING; nth += 1) expect(await answerTo(whole.slice(0, 3))).toContain('408');
}, 20_000);
