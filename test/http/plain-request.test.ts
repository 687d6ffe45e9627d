import { expect, it } from 'vitest';
import { readPlainRequest } from '../../src/http/plain-request.js';

const read = (...lines: string[]) => readPlainRequest(Buffer.from([...lines, '', ''].join('\r\n'), 'latin1'));

it('reads a GET with its headers', () => {
  expect(
    read('GET /a?b=c HTTP/1.1', 'Host: x:1', 'X-Empty:', 'Accept:\t*/* ', 'connection: Keep-Alive'),
  ).toEqual({
    url: '/a?b=c',
    rawHeaders: ['host', 'x:1', 'x-empty', '', 'accept', '*/*', 'connection', 'Keep-Alive'],
  });
});

it.each([
  ['another method', ['POST /a HTTP/1.1', 'Host: x']],
  ['a method in small letters', ['get /a HTTP/1.1', 'Host: x']],
  ['another protocol', ['GET /a HTTP/1.0', 'Host: x']],
  ['no header', ['GET /a HTTP/1.1']],
  ['a second space', ['GET  /a HTTP/1.1', 'Host: x']],
  ['a space in the path', ['GET /a b HTTP/1.1', 'Host: x']],
  ['a path beyond ASCII', ['GET /\u00e9 HTTP/1.1', 'Host: x']],
  ['a line without a colon', ['GET /a HTTP/1.1', 'Host: x', 'nothing']],
  ['a space before the colon', ['GET /a HTTP/1.1', 'Host : x']],
  ['a header without a name', ['GET /a HTTP/1.1', ': x']],
  ['a folded line', ['GET /a HTTP/1.1', 'Host: x', ' y: z']],
  ['a value beyond ASCII', ['GET /a HTTP/1.1', 'Host: \u00e9']],
  ['a control character', ['GET /a HTTP/1.1', 'Host: x\u0000']],
  ['a bare carriage return', ['GET /a HTTP/1.1', 'Host: x\ry: z']],
  ['a bare line feed', ['GET /a HTTP/1.1', 'Host: x\ny: z']],
  ['a second request', ['GET /a HTTP/1.1', 'Host: x', '', 'GET /a HTTP/1.1', 'Host: x']],
  ['a body', ['GET /a HTTP/1.1', 'Host: x', '', 'body']],
  ['an end of the connection', ['GET /a HTTP/1.1', 'Host: x', 'Connection: close']],
  ['an end of the connection to a proxy', ['GET /a HTTP/1.1', 'Host: x', 'Proxy-Connection: close']],
  ['a list for the connection', ['GET /a HTTP/1.1', 'Host: x', 'Connection: keep-alive, upgrade']],
  ['an upgrade', ['GET /a HTTP/1.1', 'Host: x', 'Upgrade: h2c']],
  ['an expectation', ['GET /a HTTP/1.1', 'Host: x', 'Expect: 100-continue']],
  ['a long head', ['GET /a HTTP/1.1', `Host: ${'x'.repeat(1024)}`]],
])('leaves %s to Node', (_what, lines) => {
  expect(read(...lines)).toBeUndefined();
});

it('leaves a head that has not come to its end to Node', () => {
  const whole = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';
  for (let length = 0; length < whole.length; length += 1) {
    expect(readPlainRequest(Buffer.from(whole.slice(0, length)))).toBeUndefined();
  }
  expect(readPlainRequest(Buffer.from(whole))).toBeDefined();
});
