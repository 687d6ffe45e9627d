import type { Answer, AnswerKind, CallOptions, Method, StreamedBody } from './call.js';
import { ConnectionError, TimeoutError, toApiError } from './errors.js';
import { isRepeatable, retryAfterSeconds, secondsToWait, wait, type RetryOptions } from './retry.js';
import { toLines, toSendable } from './streams.js';

export interface TransportOptions extends RetryOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly timeoutSeconds: number;
  readonly fetch: typeof fetch;
}

export interface Outgoing {
  readonly method: Method;
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly contentType?: string | undefined;
  readonly body?: StreamedBody | undefined;
  readonly answer: AnswerKind;
  readonly options: CallOptions;
}

export type Send = (outgoing: Outgoing) => Promise<Answer<unknown>>;

/** Sends requests with the key, tries again where that is safe, and turns refusals into errors. */
export function createTransport(transport: TransportOptions): Send {
  return async (outgoing) => {
    const headers = toHeaders(transport, outgoing);
    const isReplayable = !isStream(outgoing.body);
    const mayRepeat = isReplayable && isRepeatable(outgoing.method, headers);
    let { path } = outgoing;
    for (let tries = 1; ; tries += 1) {
      const response = await fetchOnce(transport, { ...outgoing, path }, headers);
      const target = isReplayable && tries === 1 ? samePlace(response) : undefined;
      const seconds = mayRepeat ? secondsToWait(response, tries, transport) : undefined;
      if (target === undefined && seconds === undefined) return readAnswer(response, outgoing.answer);
      await response.body?.cancel();
      if (target !== undefined) path = target;
      else await wait(seconds ?? 0, outgoing.options.signal);
    }
  };
}

function isStream(body: StreamedBody | undefined): boolean {
  return body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
}

function toHeaders({ apiKey }: TransportOptions, { contentType, options }: Outgoing): Headers {
  const headers = new Headers({ accept: 'application/json' });
  if (apiKey !== undefined) headers.set('x-api-key', apiKey);
  if (contentType !== undefined) headers.set('content-type', contentType);
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  return headers;
}

/** A redirect within the service, such as a missing slash; the key is never carried anywhere else. */
function samePlace({ status, headers }: Response): string | undefined {
  const location = headers.get('location') ?? '';
  return (status === 307 || status === 308) && /^\/(?!\/)/.test(location) ? location : undefined;
}

async function fetchOnce(
  { baseUrl, timeoutSeconds, fetch }: TransportOptions,
  { method, path, body, answer, options: { signal } }: Outgoing,
  headers: Headers,
): Promise<Response> {
  const isStreaming = answer === 'lines' || answer === 'bytes' || isStream(body);
  const timeout = isStreaming ? undefined : AbortSignal.timeout(timeoutSeconds * 1000);
  const signals = [timeout, signal].filter((one) => one !== undefined);
  try {
    return await fetch(baseUrl + path, {
      method,
      headers,
      redirect: 'manual',
      ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
      ...(body === undefined ? {} : { body: toSendable(body), duplex: 'half' }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    if (timeout?.aborted === true)
      throw new TimeoutError(`${baseUrl} did not answer within ${timeoutSeconds} s`, { cause: error });
    throw new ConnectionError(`${baseUrl} cannot be reached: ${reasonOf(error)}`, { cause: error });
  }
}

/** fetch says only "fetch failed" and hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  if (!(cause instanceof Error)) return message;
  const { code } = cause as Error & { code?: unknown };
  return typeof code === 'string' ? code : cause.message;
}

async function readAnswer(response: Response, kind: AnswerKind): Promise<Answer<unknown>> {
  const { status, headers } = response;
  if (status >= 300 && status !== 304) throw toApiError(await readRefusal(response));
  return { status, headers, body: await readBody(response, kind) };
}

async function readBody(response: Response, kind: AnswerKind): Promise<unknown> {
  const bytes =
    response.body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
  if (kind === 'lines') return toLines(bytes);
  if (kind === 'bytes') return bytes;
  const text = await response.text();
  return kind === 'nothing' || text === '' ? undefined : (JSON.parse(text) as unknown);
}

async function readRefusal(response: Response) {
  const text = await response.text();
  const { status, headers } = response;
  return {
    status,
    detail: detailOf(text) ?? (headers.get('location') === null ? text.slice(0, 200) : moved(headers)),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers),
  };
}

function moved(headers: Headers): string {
  return `This is at ${headers.get('location') ?? ''}; check the base URL`;
}

/** Something between here and the service may answer in other shapes than its own. */
function detailOf(text: string): unknown {
  try {
    const body = JSON.parse(text) as unknown;
    return typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined;
  } catch {
    return undefined;
  }
}
