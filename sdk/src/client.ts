import type { Answer, AnswerKind, CallOptions, Method, OperationSpec, StreamedBody } from './call.js';
import { ComandaError } from './errors.js';
import type { StoreEvent } from './event-types.js';
import { iterateEvents, type EventsOptions } from './events.js';
import {
  OPERATIONS,
  type ListKeysQuery,
  type ListWebhooksQuery,
  type Operations,
} from './generated/operations.js';
import type { Key, MerchantResponse, Order, Store, Webhook } from './generated/types.js';
import { iterateList, iterateOrders, type OrderFilter } from './paging.js';
import { createTransport, type Outgoing, type Send } from './transport.js';

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`; may have a path. */
  readonly baseUrl: string;
  /** Sent as `x-api-key`. */
  readonly apiKey?: string | undefined;
  /** Timeout of a response in seconds. Default: 60. Does not apply to streams. */
  readonly timeoutSeconds?: number | undefined;
  /** Number of retries after 429 or 503. Default: 3. */
  readonly retries?: number | undefined;
  /** Longest Retry-After to wait for, in seconds. Default: 30. */
  readonly longestWaitSeconds?: number | undefined;
  /** Largest decompressed response that is read as a whole. Default: 256 MiB. */
  readonly largestAnswerBytes?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
}

const LARGEST_ANSWER_BYTES = 256 * 1024 * 1024;

/** Any request, for what the methods do not cover. A body that is not text, bytes or a stream is sent as JSON. */
export interface RawRequest extends CallOptions {
  readonly method?: Method | undefined;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly answer?: AnswerKind | undefined;
}

/** Every operation, returning the status and the headers with the body. */
export type OperationsWithAnswers = {
  [K in keyof Operations]: (
    ...parameters: Parameters<Operations[K]>
  ) => Promise<Answer<Awaited<ReturnType<Operations[K]>>>>;
};

export interface Client extends Operations {
  readonly withAnswer: OperationsWithAnswers;
  request(request: RawRequest): Promise<Answer<unknown>>;
  /**
   * Yields every event after a cursor and reconnects by itself. Throws a `GoneError` if the events after the cursor
   * are no longer kept.
   */
  events(options?: EventsOptions): AsyncGenerator<StoreEvent>;
  /** Yields every matching order of a store, newest first, fetching pages as needed. */
  iterateOrders(storeId: string, filter?: OrderFilter, options?: CallOptions): AsyncGenerator<Order>;
  iterateStores(options?: CallOptions): AsyncGenerator<Store>;
  iterateMerchants(options?: CallOptions): AsyncGenerator<MerchantResponse>;
  iterateKeys(query?: Pick<ListKeysQuery, 'merchant_id'>, options?: CallOptions): AsyncGenerator<Key>;
  iterateWebhooks(
    query?: Pick<ListWebhooksQuery, 'merchant_id' | 'key_id'>,
    options?: CallOptions,
  ): AsyncGenerator<Webhook>;
}

export function createClient(options: ClientOptions): Client {
  const send = createTransport({
    baseUrl: checkedBaseUrl(options.baseUrl),
    apiKey: options.apiKey,
    timeoutSeconds: options.timeoutSeconds ?? 60,
    retries: options.retries ?? 3,
    longestWaitSeconds: options.longestWaitSeconds ?? 30,
    largestAnswerBytes: options.largestAnswerBytes ?? LARGEST_ANSWER_BYTES,
    fetch: options.fetch ?? fetch,
  });
  const withAnswer = bindOperations(send);
  const operations = Object.fromEntries(
    Object.entries(withAnswer).map(([name, call]) => [
      name,
      async (...parameters: unknown[]) =>
        (await (call as (...all: unknown[]) => Promise<Answer<unknown>>)(...parameters)).body,
    ]),
  ) as unknown as Operations;
  return {
    ...operations,
    withAnswer,
    request: (request) => send(toOutgoing(request)),
    events: (wanted = {}) => iterateEvents(send, wanted),
    iterateOrders: (storeId, filter, call) => iterateOrders(operations.listOrders, storeId, filter, call),
    iterateStores: (call) => iterateList((page) => operations.listStores(page, call)),
    iterateMerchants: (call) => iterateList((page) => operations.listMerchants(page, call)),
    iterateKeys: (query, call) => iterateList((page) => operations.listKeys({ ...query, ...page }, call)),
    iterateWebhooks: (query, call) =>
      iterateList((page) => operations.listWebhooks({ ...query, ...page }, call)),
  };
}

function checkedBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new ComandaError(`baseUrl must be an http:// or https:// address, not ${JSON.stringify(baseUrl)}`);
  return baseUrl.replace(/\/+$/, '');
}

function toOutgoing({
  method = 'GET',
  path,
  body,
  contentType,
  answer = 'json',
  ...options
}: RawRequest): Outgoing {
  const isJson = body !== undefined && contentType === undefined;
  return {
    method,
    path,
    answer,
    options,
    contentType: isJson ? 'application/json' : contentType,
    body: isJson && !isBytes(body) ? JSON.stringify(body) : (body as StreamedBody | undefined),
  };
}

function bindOperations(send: Send): OperationsWithAnswers {
  const bound = Object.entries(OPERATIONS).map(([name, spec]) => [
    name,
    async (...parameters: unknown[]) => send(arrange(spec, parameters)),
  ]);
  return Object.fromEntries(bound) as OperationsWithAnswers;
}

/** Parameters come in the order of the signatures: those of the path, the body, the query, the options. */
function arrange(spec: OperationSpec, parameters: readonly unknown[]): Outgoing {
  const remaining = [...parameters];
  const path = spec.path.replace(/\{(\w+)\}/g, (_match, name: string) => segment(name, remaining.shift()));
  const body = spec.body === undefined ? undefined : remaining.shift();
  const query = spec.hasQuery === true ? toQuery(remaining.shift() as Query | undefined) : '';
  const options = (remaining.shift() ?? {}) as CallOptions;
  const isJson = spec.body === 'application/json' && body !== undefined && !isBytes(body);
  return {
    method: spec.method,
    path: path + query,
    contentType: body === undefined ? undefined : spec.body,
    body: isJson ? JSON.stringify(body) : (body as StreamedBody | undefined),
    answer: spec.answer,
    options:
      spec.isIdempotencyKeyed === true
        ? { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }
        : options,
  };
}

/** Never `.` or `..`: URLs drop them, encoded too, and what is left is the path of another operation. */
function segment(name: string, value: unknown): string {
  if ((typeof value !== 'string' && typeof value !== 'number') || /^\.{0,2}$/.test(String(value)))
    throw new ComandaError(`${name} must be a number or a non-empty string, and not . or ..`);
  return encodeURIComponent(value);
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function toQuery(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams();
  for (const [name, value] of given) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

/** A string is sent as it is: it is already serialised. */
function isBytes(body: unknown): body is Uint8Array {
  return body instanceof Uint8Array;
}
