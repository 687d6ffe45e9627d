import { LEAST_BYTES } from '../domain/limits.js';
import type { ExpressRequest } from './express-answers.js';

const PLAIN = /^GET [!-~]+ HTTP\/1\.1\r\n(?:[\w!#$%&'*+.^`|~-]+:[\t -~]*\r\n)+\r\n$/;
const METHOD = 'GET ';
const PROTOCOL = ' HTTP/1.1';
const LINE_END = '\r\n';

/**
 * Reads bytes that are one `GET` with its headers, whole, and nothing else: a part of HTTP/1.1 that has one meaning only.
 * Undefined for all other bytes, which are a matter of Node's parser.
 */
export function readPlainRequest(bytes: Buffer): ExpressRequest | undefined {
  // A longer one may be beyond the limit, which is a matter of Node's parser.
  if (bytes.length > LEAST_BYTES) return undefined;
  const text = bytes.toString('latin1');
  if (!PLAIN.test(text)) return undefined;
  let lineEnd = text.indexOf(LINE_END);
  const url = text.slice(METHOD.length, lineEnd - PROTOCOL.length);
  const rawHeaders: string[] = [];
  while (lineEnd < text.length - 2 * LINE_END.length) {
    const start = lineEnd + LINE_END.length;
    const colon = text.indexOf(':', start);
    lineEnd = text.indexOf(LINE_END, colon);
    const name = text.slice(start, colon).toLowerCase();
    const value = text.slice(colon + 1, lineEnd).trim();
    if (isForTheConnection(name, value)) return undefined;
    rawHeaders.push(name, value);
  }
  return { url, rawHeaders };
}

/** Whether a header wants the connection to be treated in another way than it would be without. */
function isForTheConnection(name: string, value: string): boolean {
  // Node takes the second, which is no standard, for the first.
  if (name === 'connection' || name === 'proxy-connection') return value.toLowerCase() !== 'keep-alive';
  return name === 'expect' || name === 'upgrade';
}
