import type { IncomingMessage } from 'node:http';
import type { ReadHeaders } from './route.js';

/** The head of a read that has nothing unusual about it. */
export interface PlainHead {
  readonly key: string;
  readonly requestId: string | undefined;
  readonly headers: ReadHeaders;
}

/**
 * Picks what decides the answer to a read from the wire, without Node's object of all headers, which takes longer to
 * make than the answer. Undefined for a head that needs a closer look: without host or key, with a body, with one of
 * these headers sent twice.
 */
export function readPlainHead({ rawHeaders, httpVersion }: IncomingMessage): PlainHead | undefined {
  let host, key, requestId, acceptEncoding, ifNoneMatch: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1];
    switch ((rawHeaders[at] as string).toLowerCase()) {
      case 'host':
        if (host !== undefined) return undefined;
        host = value;
        break;
      case 'x-api-key':
        if (key !== undefined) return undefined;
        key = value;
        break;
      case 'x-request-id':
        if (requestId !== undefined) return undefined;
        requestId = value;
        break;
      case 'accept-encoding':
        if (acceptEncoding !== undefined) return undefined;
        acceptEncoding = value;
        break;
      case 'if-none-match':
        if (ifNoneMatch !== undefined) return undefined;
        ifNoneMatch = value;
        break;
      case 'content-length':
      case 'transfer-encoding':
        return undefined;
    }
  }
  const isUsual = httpVersion === '1.1' && host !== undefined;
  if (!isUsual || key === undefined || key === '') return undefined;
  return { key, requestId, headers: { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } };
}
