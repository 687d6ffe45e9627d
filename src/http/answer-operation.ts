import type { Limits } from '../domain/limits.js';
import type { Principal } from '../domain/key/principal.js';
import type { TakeRoom } from './byte-budget.js';
import { setHeaders } from './raw-headers.js';
import { bodySize, compileReadBody } from './read-body.js';
import type { Call, Operation } from './route.js';
import { SENT } from './sent.js';

/** Two of the largest bodies of a merchant at once; a third waits, unread, until one of them is done. */
export const LARGEST_AT_ONCE = 2;

/** Runs the operation on a request that was admitted, and sends what it returns unless it has sent its answer itself. */
export function compileAnswer({ body, ready, handler }: Operation, limits: Limits, takeRoom: TakeRoom) {
  const readBody = body && compileReadBody(body, limits);
  const isLarge = body?.kind === 'bytes';

  return async (admitted: Call): Promise<void> => {
    const { request, reply, store } = admitted;
    const atHand = store && ready?.(store, request.headers);
    if (atHand !== undefined) {
      setHeaders(reply, atHand.headers).code(atHand.status).send(atHand.body);
      return;
    }
    const release = isLarge ? await takeRoom(ownerOf(admitted.key), bodySize(request, limits)) : undefined;
    try {
      const call = readBody === undefined ? admitted : { ...admitted, body: await readBody(request) };
      const result = await handler(call);
      if (result === SENT) return;
      if (result === undefined) reply.code(204);
      reply.send(result);
    } finally {
      release?.();
    }
  };
}

function ownerOf(key: Principal): string {
  return key.kind === 'merchant' ? key.merchantId : key.id;
}
