import type { Answer, AnswerKind, ByteStream, CallOptions, Method, StreamedBody } from './call.js';
import { ComandaError, ConnectionError, TimeoutError, toApiError, type Refusal } from './errors.js';
import { mayRepeat, retryAfterSeconds, secondsToWait, wait, type RetryOptions } from './retry.js';
import { explainingErrors, readTextUpTo, toLines, toSendable } from './streams.js';

export interface TransportOptions extends RetryOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly timeoutSeconds: number;
  readonly largestAnswerBytes: number;
  readonly fetch: typeof fetch;
}

export interface Outgoing {
  readonly method: Method;
  /** Path and query, relative to the base URL. */
  readonly path: string;
  readonly contentType?: string | undefined;
  readonly body?: StreamedBody | undefined;
  readonly answer: AnswerKind;
  readonly options: CallOptions;
}

export type Send = (outgoing: Outgoing) => Promise<Answer<unknown>>;

/** Sends requests with the key, retries where that is safe, and throws error responses. */
export function createTransport(transport: TransportOptions): Send {
  return async (outgoing) => {
    const headers = toHeaders(transport, outgoing);
    const isReplayable = !isStream(outgoing.body);
    let { path } = outgoing;
    for (let tries = 1; ; tries += 1) {
      const { response, explain } = await fetchOnce(transport, { ...outgoing, path }, headers);
      const target = isReplayable && tries === 1 ? samePlace(response) : undefined;
      const isRepeated = isReplayable && mayRepeat(response.status, outgoing.method, headers);
      const seconds = isRepeated ? secondsToWait(response, tries, transport) : undefined;
      if (target === undefined && seconds === undefined)
        return readAnswer(transport, response, outgoing.answer, explain);
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

/** The target of a redirect within the service, such as for a missing slash. The key is never sent anywhere else. */
function samePlace({ status, headers }: Response): string | undefined {
  const location = headers.get('location') ?? '';
  return (status === 307 || status === 308) && /^\/(?!\/)/.test(location) ? location : undefined;
}

/** Turns an error of fetch, or of reading a body, into an error of this library. */
type Explain = (error: unknown, event: string) => unknown;

async function fetchOnce(
  { baseUrl, timeoutSeconds, fetch }: TransportOptions,
  { method, path, body, answer, options: { signal } }: Outgoing,
  headers: Headers,
): Promise<{ response: Response; explain: Explain }> {
  const isStreaming = answer === 'lines' || answer === 'bytes' || isStream(body);
  const timeout = isStreaming ? undefined : AbortSignal.timeout(timeoutSeconds * 1000);
  const signals = [timeout, signal].filter((one) => one !== undefined);
  const explain: Explain = (error, event) => {
    if (signal?.aborted === true) return error;
    if (timeout?.aborted === true)
      return new TimeoutError(`${baseUrl} did not respond within ${timeoutSeconds} s`, { cause: error });
    return new ConnectionError(`${baseUrl} ${event}: ${reasonOf(error)}`, { cause: error });
  };
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      redirect: 'manual',
      ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
      ...(body === undefined ? {} : { body: toSendable(body), duplex: 'half' }),
    });
    return { response, explain };
  } catch (error) {
    throw explain(error, 'cannot be reached');
  }
}

/** fetch says only "fetch failed" and hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  if (!(cause instanceof Error)) return message;
  const { code } = cause as Error & { code?: unknown };
  return typeof code === 'string' ? code : cause.message;
}

/** Far more than an error response needs. Of a longer one only the status is reported. */
const LARGEST_REFUSAL_BYTES = 1024 * 1024;

async function readAnswer(
  transport: TransportOptions,
  response: Response,
  kind: AnswerKind,
  explain: Explain,
): Promise<Answer<unknown>> {
  const { status, headers } = response;
  const bytes = explainingErrors(response.body, (error) =>
    explain(error, 'closed the connection before the response was complete'),
  );
  if (status >= 300 && status !== 304)
    throw toApiError(toRefusal(response, (await readTextUpTo(bytes, LARGEST_REFUSAL_BYTES)) ?? ''));
  return { status, headers, body: await readBody(transport, bytes, kind) };
}

async function readBody(
  { baseUrl, largestAnswerBytes }: TransportOptions,
  bytes: ByteStream,
  kind: AnswerKind,
): Promise<unknown> {
  if (kind === 'lines') return toLines(bytes);
  if (kind === 'bytes') return bytes;
  const text = await readTextUpTo(bytes, largestAnswerBytes);
  if (text === undefined)
    throw new ComandaError(`${baseUrl} sent a response of more than ${largestAnswerBytes} bytes`);
  return kind === 'nothing' || text === '' ? undefined : parseJson(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ComandaError('The response is not JSON; check the base URL', { cause: error });
  }
}

function toRefusal({ status, headers }: Response, text: string): Refusal {
  const { detail, cursor } = membersOf(text);
  return {
    status,
    cursor: typeof cursor === 'string' ? cursor : undefined,
    detail: detail ?? (headers.get('location') === null ? text.slice(0, 200) : moved(headers)),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers),
  };
}

function moved(headers: Headers): string {
  return `Redirected to ${headers.get('location') ?? ''}; check the base URL`;
}

/** A proxy in between may respond in another format. */
function membersOf(text: string): { readonly detail?: unknown; readonly cursor?: unknown } {
  try {
    const body = JSON.parse(text) as unknown;
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
