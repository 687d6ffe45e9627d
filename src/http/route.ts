import type { IncomingMessage } from 'node:http';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { RequestedStore } from '../db/callers.js';
import type { SharedDatabase } from '../db/database.js';
import type { ExpectedCaller } from '../db/expected-caller.js';
import type { Permission, Principal } from '../domain/key/principal.js';
import type { Answer } from './answer.js';
import type { RateLimit } from './request-limits.js';

/** One operation of a surface, as data: what it is called, who may use it, its shapes, and the code behind it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{name}` for each path parameter, as in the OpenAPI document. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly permission: Permission | 'operator';
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: BodySpec;
  readonly answers: readonly AnswerSpec[];
  /** The answer may take many megabytes and is made for this one client: few of them are under way at once. */
  readonly hasLargeAnswer?: boolean;
  /** The answer waits for what happens next: it takes none of the places of requests that are being worked on. */
  readonly isHeldOpen?: boolean;
  /** The path parameter that names a store; the store is found, and checked, together with the key. */
  readonly storeParam?: string;
  /** How often it may be asked of one store, whoever asks; beside what a key may ask, and counted before a body is read. */
  readonly storeRate?: RateLimit | undefined;
  /** The path parameter that names an order; its store is found together with the key. */
  readonly orderParam?: string;
  /**
   * A plain read, whose own statements confirm the key and the store that are expected on the connection; what it finds
   * is sent only when they do, or when the check of keys finds the very same. Of `call.store` it may use whose it is and its
   * ids alone: the rest may be older than the request.
   */
  readonly isReadAhead?: boolean;
  /** Finds any other resource the path names, or throws NotFound; runs before the permission and the body are looked at. */
  readonly findResource?: (call: Call) => Promise<unknown>;
  readonly handler: (call: Call) => Answer | Promise<Answer>;
}

export interface AnswerSpec {
  readonly status: number;
  readonly description: string;
  readonly schema?: TSchema;
  readonly contentType?: string;
  readonly headers?: TObject;
  readonly example?: unknown;
}

interface BodyShape<Kind> {
  readonly kind: Kind;
  readonly schema: TSchema;
  /** What the documents offer to send: whole, and taken as it stands. Of a stream, its text. */
  readonly example: unknown;
}

export type BodySpec =
  /** Parsed and checked against the shape. */
  | (BodyShape<'json'> & { readonly isOptional?: boolean })
  /** Parsed; the handler checks it against the shape, together with what only it knows, so that all faults come at once. */
  | BodyShape<'unchecked json'>
  /** The bytes of a menu's JSON, decompressed and within the limit, for a handler that parses elsewhere. */
  | BodyShape<'menu'>
  /** Decompressed, of any length, as it arrives; the handler sets its own limits. */
  | (BodyShape<'stream'> & { readonly contentType: string });

/** A request that has passed every check up to its body. */
export interface Call<Params = unknown, Query = unknown, Body = unknown, Resource = unknown> {
  readonly principal: Principal;
  /** The part of the database that is the caller's. */
  readonly db: SharedDatabase;
  readonly params: Params;
  readonly query: Query;
  /** The query as it was sent, before numbers and times were read from it. */
  readonly queryText: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly store: RequestedStore | undefined;
  /** Who asks, where the key has not been checked yet: for what is read to confirm. */
  readonly expected: ExpectedCaller | undefined;
  readonly resource: Resource;
  readonly request: IncomingMessage;
  /** A new signal each time; it aborts when the answer is out, or its client gone. */
  readonly gone: () => AbortSignal;
  /** Whose key it is and what it names, for an answer that goes on while time passes; throws what a new request would get. */
  readonly recheckCaller: () => Promise<Pick<Call, 'principal' | 'store'>>;
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
        : B extends { kind: 'stream' }
          ? AsyncIterable<Uint8Array>
          : undefined;

interface Spec<
  P extends TObject | undefined,
  Q extends TObject | undefined,
  B extends BodySpec | undefined,
  T,
> extends Omit<Route, 'params' | 'query' | 'body' | 'findResource' | 'handler' | 'storeParam'> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly findResource?: (call: Call<StaticOf<P>, StaticOf<Q>>) => Promise<T>;
  readonly handler: (call: Call<StaticOf<P>, StaticOf<Q>, BodyOf<B>, T>) => Answer | Promise<Answer>;
}

/** Defines a route; its shapes give the handler its types. */
export function route<
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  const B extends BodySpec | undefined = undefined,
  T = undefined,
>(spec: Spec<P, Q, B, T>): Route {
  return spec as unknown as Route;
}

type StoreCall<P, Q, B, T> = Call<P, Q, B, T> & { readonly store: RequestedStore };

/** Defines a route to a store that its path names; the handler finds it as `call.store`. */
export function storeRoute<
  P extends TObject,
  Q extends TObject | undefined = undefined,
  const B extends BodySpec | undefined = undefined,
  T = undefined,
>(
  spec: Omit<Spec<P, Q, B, T>, 'params' | 'findResource' | 'handler'> & {
    readonly params: P;
    readonly storeParam: keyof Static<P> & string;
    readonly findResource?: (call: StoreCall<StaticOf<P>, StaticOf<Q>, undefined, undefined>) => Promise<T>;
    readonly handler: (call: StoreCall<StaticOf<P>, StaticOf<Q>, BodyOf<B>, T>) => Answer | Promise<Answer>;
  },
): Route {
  return spec as unknown as Route;
}

export const IfNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({ description: 'Tags of what the client has: 304 if current', examples: ['"an-older-tag"'] }),
  ),
});

/** The header of an answer with a tag, and the answer 304, for the OpenAPI document. */
export function describeTag(description: string) {
  const Tagged = Type.Object({ ETag: Type.String({ description }) });
  const notModified: AnswerSpec = {
    status: 304,
    description: 'What the client has is current',
    headers: Tagged,
  };
  return { Tagged, notModified };
}
