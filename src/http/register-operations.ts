import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TObject } from 'typebox';
import { DatabaseUnavailable } from '../domain/errors.js';
import { FaultList } from '../domain/faults.js';
import type { Limits } from '../domain/limits.js';
import { requirePermission, requireStore } from '../domain/key/principal.js';
import { isResourceId } from '../domain/resource-id.js';
import { compileQuery } from '../domain/shape/compile-query.js';
import type { Authenticate } from './authentication.js';
import { compileAnswer, LARGEST_AT_ONCE } from './answer-operation.js';
import { createByteBudget } from './byte-budget.js';
import type { TakeToken } from './rate-limit.js';
import { toRouterPath, type Call, type Operation } from './route.js';

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

    if (storeParam !== undefined) requireStore(principal, store);
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
