import type { CallToolResult } from '@modelcontextprotocol/server';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { Type } from '../support/shape/type.js';
import {
  readKeyOrBearer,
  type Authenticate,
  type CheckKey,
  type DelayRefusal,
} from '../access/authentication.js';
import { refuseMovingCaller } from '../access/moving.js';
import { isPermitted, type Principal } from '../access/principal.js';
import { orderOfToken } from '../guest/secrets.js';
import { compileReadBody } from '../http/body.js';
import { HttpRefusal, toErrorResponse } from '../http/errors.js';
import type { RunInner } from '../http/inner-calls.js';
import type { PublicOrigin } from '../http/origin.js';
import type { PipelineDeps } from '../http/pipeline.js';
import { closedSignal, openBodyRoom, ownerOf, takePermit } from '../http/request-limits.js';
import type { Route } from '../http/route.js';
import type { MatchedRequest, Responder } from '../http/router.js';
import { memberOf } from '../support/maps.js';
import { BOUNDS } from '../support/bounds.js';
import { DatabaseUnavailable, Forbidden, NotFound } from '../support/errors.js';
import { createFairSemaphore } from '../support/fair-semaphore.js';
import type { SecretKeeper } from '../webhooks/secrets.js';
import { GUEST_TOOLS } from './guest-tools.js';
import { respondToMessage, type Toolbox } from './protocol.js';
import { bytesOf, fit, MOST_BYTES, NO_WORDING, pick, show, type Json, type Wording } from './show.js';
import { STAFF_TOOLS } from './staff-tools.js';
import { describeTool, OperationRefused, runTool, toRequest, unlessForbidden, type Tool } from './tool.js';

export interface AgentOptions {
  readonly deps: Pick<PipelineDeps, 'rate' | 'permits' | 'limits' | 'readiness' | 'tooLate'>;
  readonly checkKey: CheckKey;
  readonly delayRefusal: DelayRefusal;
  readonly authenticateGuest: Authenticate;
  readonly mostGuestBytes: number;
  readonly staffRoutes: readonly Route[];
  readonly guestRoutes: readonly Route[];
  readonly runInner: RunInner;
  readonly secrets: SecretKeeper;
  readonly publicOrigin: PublicOrigin;
  readonly publicUrl: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly log: Logger;
}

/** Who asks, and what each operation that a tool runs gets of that. */
interface Caller {
  readonly principal: Principal;
  readonly headers: Readonly<Record<string, string>>;
  readonly args: Json;
  /** Throws where the arguments name what this caller is not to see. */
  readonly refuse?: (args: Json) => void;
}

interface Surface {
  readonly path: string;
  readonly tools: readonly Tool[];
  readonly routes: readonly Route[];
  readonly mostBytes: number;
  readonly identify: (matched: MatchedRequest) => Promise<Caller>;
  /** The operation that shows a store. */
  readonly showsStore: string;
}

const ADDRESS = /^https?:\/\/(?:localhost|[\d.]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** The endpoints for assistants: each tool runs operations of the service as if the caller had sent them. */
export function agentResponders(options: AgentOptions): Responder[] {
  const { deps, log } = options;
  const isOwnOrigin = (request: IncomingMessage) => {
    const { origin } = request.headers;
    if (origin === undefined || origin === options.publicUrl || options.corsOrigins.includes(origin))
      return true;
    // A name in Host and Origin may be anyone's whose DNS points here.
    return ADDRESS.test(origin) && origin === options.publicOrigin(request);
  };
  const sign = async (text: string) => (await options.secrets.provide()).sign(text);
  // Not the permits of the operations: a tool that held one of them while it waits for another could wait for itself.
  const permits = createFairSemaphore(BOUNDS.toolCalls);

  const respondAt = (surface: Surface): Responder => {
    const routes = new Map(surface.routes.map((route) => [route.operationId, route]));
    const routeOf = (operation: string): Route => {
      const route = routes.get(operation);
      if (route === undefined) throw new Error(`There is no operation ${operation}`);
      return route;
    };
    const offers = surface.tools.map((tool) => ({ tool, ...describeTool(tool, routeOf(tool.operation)) }));

    const openToolbox = (matched: MatchedRequest, caller: Caller): Toolbox => {
      const run = async (operation: string, args: Json, ifMatch?: string) => {
        const headers = { ...caller.headers, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) };
        const request = toRequest(routeOf(operation), { ...args, ...caller.args }, headers);
        const { status, body } = await options.runInner(matched, request);
        if (status >= 400) throw new OperationRefused(status, body);
        return body;
      };
      const wordingOf = async (storeId: unknown, isDone: boolean): Promise<Wording> => {
        const shown = await run(surface.showsStore, { store_id: storeId }).catch((error: unknown) => {
          // What is done is told, if without texts of amounts, also when this is one request too many.
          if (isDone && error instanceof OperationRefused) return undefined;
          return unlessForbidden(error);
        });
        const store = memberOf(shown, 'store') ?? shown;
        const [language] = Object.keys(memberOf(memberOf(store, 'name'), 'translations') ?? {});
        return { ...NO_WORDING, ...pick(store, ['currency', 'timezone']), language };
      };
      const usable = offers.filter(({ permission }) => isPermitted(caller.principal, permission));
      return {
        list: () => usable.map(({ described }) => described),
        call: (name, args) => {
          const offer = usable.find(({ tool }) => tool.name === name);
          if (offer === undefined) return undefined;
          const work = async () => {
            offer.check(args);
            caller.refuse?.(args);
            const isDone = offer.tool.hints !== undefined;
            const call = { run, wordingOf: (storeId: unknown) => wordingOf(storeId, isDone), sign };
            return toResult(await runTool(offer.tool, call, args));
          };
          return work().catch(async (error: unknown) => {
            if (error instanceof OperationRefused) {
              const hasMore = Object.keys(error.body ?? {}).some((name) => name !== 'detail');
              return toErrorResult(error.body, hasMore ? await wordingOf(args['store_id'], true) : undefined);
            }
            const { status, body } = toErrorResponse(error);
            if (status === 500)
              log.error({ err: error, reqId: matched.context.id, tool: name }, 'A tool failed');
            return toErrorResult(typeof body === 'string' ? JSON.parse(body) : undefined);
          });
        },
      };
    };

    const limits = { ...deps.limits, jsonBytes: Math.min(deps.limits.jsonBytes, surface.mostBytes) };
    const spec = { kind: 'unchecked json', schema: Type.Unknown(), example: {} } as const;
    const readBody = compileReadBody(spec, limits, deps.tooLate, 'ignored');
    return {
      method: 'POST',
      path: surface.path,
      respond: async (matched) => {
        const { request, response, context } = matched;
        if (!deps.readiness.isReady) throw new DatabaseUnavailable();
        if (!isOwnOrigin(request)) throw new Forbidden('Pages of this origin may not use the service');
        const caller = await surface.identify(matched);
        const { principal } = caller;
        context.keyId = principal.id;
        deps.rate.count(principal.id);
        await takePermit(permits, principal, response);
        const room = openBodyRoom(deps.permits.jsonBodies, ownerOf(principal), () => closedSignal(response));
        let message: unknown;
        try {
          message = await readBody(request, response, room);
        } finally {
          room.release();
        }
        if (Array.isArray(message)) throw new HttpRefusal(400, 'Batches are not accepted: send one message');
        return respondToMessage(message, request.headers, openToolbox(matched, caller));
      },
    };
  };

  return [
    respondAt({
      path: '/mcp',
      tools: STAFF_TOOLS,
      routes: options.staffRoutes,
      mostBytes: Infinity,
      identify: async ({ request }) => {
        const key = readKeyOrBearer(request);
        const { principal } = await options
          .checkKey(key, undefined)
          .catch((error: unknown) => options.delayRefusal(request, error));
        refuseMovingCaller(principal, undefined, false);
        return { principal, headers: { 'x-api-key': key }, args: {} };
      },
      showsStore: 'get_managed_store',
    }),
    respondAt({
      path: '/guest/mcp/:code',
      tools: GUEST_TOOLS,
      routes: options.guestRoutes,
      mostBytes: options.mostGuestBytes,
      identify: async ({ request, params }) => {
        const { principal, store } = await options.authenticateGuest(request, undefined, params);
        refuseMovingCaller(principal, store, false);
        // Another restaurant's amounts would be told in the currency of this one.
        const refuse = ({ token }: Json) => {
          const named = typeof token === 'string' ? orderOfToken(token) : undefined;
          if (named !== undefined && named.storeKey !== store?.storeKey) throw new NotFound('Order');
        };
        return { principal, headers: {}, args: { code: params['code'] }, refuse };
      },
      showsStore: 'get_place',
    }),
  ];
}

const MORE_ERRORS = { loc: ['arguments'], msg: 'More errors are not shown', type: 'too_many_errors' };

function toResult(structuredContent: Json, isError = false): CallToolResult {
  if (!isError && bytesOf(structuredContent) > MOST_BYTES)
    return toErrorResult({ detail: 'The answer is larger than 64 KiB. Ask for less.' });
  const content = [{ type: 'text' as const, text: JSON.stringify(structuredContent) }];
  return { content, structuredContent, ...(isError ? { isError } : {}) };
}

/** The error as the operation tells it, or as much of it; what stands beside it, such as a quote, is shown like any answer. */
function toErrorResult(body: unknown, wording = NO_WORDING): CallToolResult {
  const { detail, ...beside } = (body ?? { detail: 'Internal Server Error' }) as Json;
  const whole = { ...(show(beside, wording) as Json), detail };
  if (bytesOf(whole) <= MOST_BYTES) return toResult(whole, true);
  const part = Array.isArray(detail) ? [...fit(detail, MORE_ERRORS, (error) => error), MORE_ERRORS] : detail;
  return toResult({ detail: part }, true);
}
