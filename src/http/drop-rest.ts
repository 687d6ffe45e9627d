import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * Stops reading a body. What the client still sends is dropped as it comes, so that it gets to see the answer; a body
 * that is being unpacked ends here, for the rest of it may be a thousand times what the client sent.
 */
export function dropRest(body: Readable): void {
  body.on('error', () => undefined);
  if (body instanceof IncomingMessage) body.resume();
  else body.destroy();
}
