import type { IncomingMessage } from 'node:http';
import { Type, type Static, type TObject, type TSchema } from '../support/shape/type.js';
import type { RequestedStore, StoreReference } from '../access/api-key-lookup.sql.js';
import type { Actor } from '../support/actor.js';
import type { SharedDatabase } from '../postgres/database.js';
import type { Requirement } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import type { Response } from './response.js';
import type { RateLimit } from './rate-limit.js';

/** One operation of a surface: its name, permission, shapes and handler. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for each path parameter, as in the OpenAPI document. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly permission: Requirement;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: BodySpec;
  readonly responses: readonly ResponseSpec[];
  /** The response may take many megabytes, so only a few are built at once. */
  readonly hasLargeResponse?: boolean;
  /** Long poll or stream: not counted against the concurrent-request limit. */
  readonly isHeldOpen?: boolean;
  /** Works wherever the merchant is that it names: it moves or removes one. */
  readonly isOfMove?: boolean;
  /** The path parameter that names a store, which is looked up together with the key. */
  readonly storeParam?: string;
  /** Rate limit per store, in addition to that of the key; counted before the body is read. */
  readonly storeRate?: RateLimit | undefined;
  /** Derives the store from the path if no parameter names it, so that it is looked up together with the key. */
  readonly storeOfPath?: (params: Readonly<Record<string, string>>) => StoreReference | undefined;
  /** Finds any other resource that the path names, or throws NotFound; runs before the permission and body checks. */
  readonly findResource?: (call: RouteRequest) => Promise<unknown>;
  readonly handler: (call: RouteRequest) => Response | Promise<Response>;
}

export interface ResponseSpec {
  readonly status: number;
  readonly description: string;
  readonly schema?: TSchema;
  readonly contentType?: string;
  /** What it may also be written as, if the client asks for it. */
  readonly orAsText?: string;
  readonly headers?: TObject;
  readonly example?: unknown;
}

interface BodyShape<Kind> {
  readonly kind: Kind;
  readonly schema: TSchema;
  /** The example in the OpenAPI document, which must work unchanged; of a stream, one line; of a file, none. */
  readonly example: unknown;
}

export type BodySpec =
  /** Parsed and checked against the shape. */
  | (BodyShape<'json'> & { readonly isOptional?: boolean })
  /** Parsed only; the handler checks the shape together with its own rules, so that all errors are reported at once. */
  | BodyShape<'unchecked json'>
  /** The bytes of a menu's JSON, decompressed and within the limit, for a handler that parses elsewhere. */
  | BodyShape<'menu'>
  /** The bytes of a file of one of these types (none named: of any), and which of them it was sent as. */
  | (BodyShape<'file'> & { readonly contentTypes: readonly string[]; readonly maxBytes: number })
  /** Decompressed, of any length, as it arrives; the handler sets its own limits. */
  | (BodyShape<'stream'> & { readonly contentType: string });

/** A request that has passed every check up to its body. */
export interface RouteRequest<Params = unknown, Query = unknown, Body = unknown, Resource = unknown> {
  readonly principal: Principal;
  /** The caller as the audit log tells it; transactions of `db` carry it. */
  readonly by: Actor;
  /** The database, limited to the caller's share. */
  readonly db: SharedDatabase;
  readonly params: Params;
  readonly query: Query;
  /** The raw query, before parsing. */
  readonly queryText: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly store: RequestedStore | undefined;
  /** What `findResource` found; before that, what authentication had to read. */
  readonly resource: Resource;
  readonly request: IncomingMessage;
  /** Returns a new signal that aborts when the response is sent or the client disconnects. */
  readonly signal: () => AbortSignal;
  /** Waits until a response may be made while it is sent; the permit is held until its end. */
  readonly takeStreamPermit: () => Promise<void>;
  /** Checks key and store again during a long response; throws what a new request would get. */
  readonly reauthorize: () => Promise<Pick<RouteRequest, 'principal' | 'store'>>;
}

type StaticOf<S extends TObject | undefined> = S extends TObject ? Static<S> : Record<string, never>;
type BodyOf<B> = B extends { kind: 'json'; schema: infer S extends TSchema; isOptional: true }
  ? Static<S> | undefined
  : B extends { kind: 'json'; schema: infer S extends TSchema }
    ? Static<S>
    : B extends { kind: 'unchecked json' }
      ? unknown
      : B extends { kind: 'menu' }
        ? Buffer
        : B extends { kind: 'file'; contentTypes: readonly (infer T)[] }
          ? { readonly type: T; readonly bytes: Buffer }
          : B extends { kind: 'stream' }
            ? AsyncIterable<Uint8Array>
            : undefined;

interface Spec<
  P extends TObject | undefined,
  Q extends TObject | undefined,
  B extends BodySpec | undefined,
  T,
> extends Omit<
  Route,
  'method' | 'path' | 'operationId' | 'params' | 'query' | 'body' | 'findResource' | 'handler' | 'storeParam'
> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly findResource?: (call: RouteRequest<StaticOf<P>, StaticOf<Q>>) => Promise<T>;
  readonly handler: (
    call: RouteRequest<StaticOf<P>, StaticOf<Q>, BodyOf<B>, T>,
  ) => Response | Promise<Response>;
}

/** Defines a route; its shapes give the handler its types. */
export function route<
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  const B extends BodySpec | undefined = undefined,
  T = undefined,
>(method: Route['method'], path: string, operationId: string, spec: Spec<P, Q, B, T>): Route {
  return { ...(spec as unknown as Route), method, path, operationId };
}

type StoreRouteRequest<P, Q, B, T> = RouteRequest<P, Q, B, T> & { readonly store: RequestedStore };

/** Defines a route to a store that its path names; the handler finds it as `call.store`. */
export function storeRoute<
  P extends TObject,
  Q extends TObject | undefined = undefined,
  const B extends BodySpec | undefined = undefined,
  T = undefined,
>(
  method: Route['method'],
  path: string,
  operationId: string,
  spec: Omit<Spec<P, Q, B, T>, 'params' | 'findResource' | 'handler'> & {
    readonly params: P;
    readonly findResource?: (
      call: StoreRouteRequest<StaticOf<P>, StaticOf<Q>, undefined, undefined>,
    ) => Promise<T>;
    readonly handler: (
      call: StoreRouteRequest<StaticOf<P>, StaticOf<Q>, BodyOf<B>, T>,
    ) => Response | Promise<Response>;
  },
): Route {
  const storeParam = /\{(store_\w+)\}/.exec(path)?.[1];
  if (storeParam === undefined) throw new Error(`${path} names no store`);
  return { ...(spec as unknown as Route), method, path, operationId, storeParam };
}

export const IfNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({
      description: 'ETags that the client has; 304 if one is current',
      examples: ['"an-older-tag"'],
    }),
  ),
});

/** The ETag header and the 304 response, for the OpenAPI document. */
export function describeTag(description: string) {
  const Tagged = Type.Object({ ETag: Type.String({ description }) });
  const notModifiedSpec: ResponseSpec = {
    status: 304,
    description: 'The copy of the client is current',
    headers: Tagged,
  };
  return { Tagged, notModifiedSpec };
}
