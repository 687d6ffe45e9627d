import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TObject } from 'typebox';
import { DatabaseUnavailable, NotFound } from '../domain/errors.js';
import { FaultList } from '../domain/faults.js';
import type { Limits } from '../domain/limits.js';
import { maySeeStore, requirePermission, type Principal } from '../domain/key/principal.js';
import { isResourceId } from '../domain/resource-id.js';
import { compileQuery } from '../domain/shape/compile-query.js';
import type { Authenticate } from './authentication.js';
import { createByteBudget, type TakeRoom } from './byte-budget.js';
import type { TakeToken } from './rate-limit.js';
import { setHeaders } from './raw-headers.js';
import { bodySize, compileReadBody } from './read-body.js';
import { toRouterPath, type Call, type Operation } from './route.js';
import { SENT } from './sent.js';

export interface Gatekeeping {
  readonly authenticate: Authenticate;
  readonly takeToken: TakeToken;
  readonly limits: Limits;
  readonly isReady: () => boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | undefined;
  }
}

/** Puts the operations of a surface on the router, each behind the same checks in the same order. */
export function registerOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  gate: Gatekeeping,
): void {
  const takeRoom = createByteBudget(LARGEST_AT_ONCE * gate.limits.bodyBytes);
  for (const operation of operations) {
    const admit = compileAdmission(operation, gate);
    const answer = compileAnswer(operation, gate.limits, takeRoom);
    app.route({
      method: operation.method,
      url: toRouterPath(operation.path),
      config: { isStreamed: operation.body?.kind === 'stream' },
      onRequest: async (request, reply) => {
        // The router takes nothing for a parameter; a path that ends before its last one is another path.
        if (Object.values(request.params as Record<string, string>).includes('')) return reply.callNotFound();
        request.call = await admit(request, reply);
        return undefined;
      },
      // Not async: from a promise Fastify would take the end of the work for the end of the answer, which may still be
      // on its way in chunks, and send an empty one.
      handler: (request, reply) => {
        answer(request.call as Call).catch((error: unknown) => reply.send(error));
      },
    });
  }
}

/** Runs the operation on a request that was admitted, and sends what it returns unless it has sent its answer itself. */
function compileAnswer({ body, ready, handler }: Operation, limits: Limits, takeRoom: TakeRoom) {
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

/** Two of the largest bodies of a merchant at once; a third waits, unread, until one of them is done. */
const LARGEST_AT_ONCE = 2;

function ownerOf(key: Principal): string {
  return key.kind === 'merchant' ? key.merchantId : key.id;
}

/** Authentication, rate, path and query, the resource, the permission. The body is not touched before all have passed. */
function compileAdmission(operation: Operation, gate: Gatekeeping) {
  const { storeParam, locate, permission } = operation;
  const checkQuery = operation.query && compileQuery(operation.query, 'query');
  const checkParams = numericParams(operation.params);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<Call> => {
    if (!gate.isReady()) throw new DatabaseUnavailable();
    const rawParams = request.params as Record<string, string>;
    const storeId = storeParam === undefined ? undefined : rawParams[storeParam];
    const { principal, store } = await gate.authenticate(
      request.raw,
      isResourceId(storeId) ? storeId : undefined,
    );
    gate.takeToken(principal.id);

    const faults = new FaultList();
    const query = checkQuery?.(request.query as Record<string, unknown>, faults) ?? {};
    const params =
      checkParams === undefined ? rawParams : { ...rawParams, ...checkParams(rawParams, faults) };
    faults.throwIfAny();

    if (storeParam !== undefined && (store === undefined || !maySeeStore(principal, store)))
      throw new NotFound('Store');
    const located: Call = {
      key: principal,
      params,
      query,
      body: undefined,
      store,
      target: undefined,
      request,
      reply,
    };
    const call = locate === undefined ? located : { ...located, target: await locate(located) };
    requirePermission(principal, permission);
    return call;
  };
}

/** Identifiers are opaque: a strange one is simply not found. Only numbers in a path have a form to check. */
function numericParams(params: TObject | undefined) {
  const numeric = Object.entries(params?.properties ?? {}).filter(
    ([, schema]) => (schema as { type?: string }).type === 'integer',
  );
  return numeric.length === 0 ? undefined : compileQuery(Type.Object(Object.fromEntries(numeric)), 'path');
}
