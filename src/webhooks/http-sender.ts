import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, buildConnector, errors, type Dispatcher } from 'undici';
import {
  AddressNotAllowed,
  createVettedLookup,
  literalAddresses,
  NameNotResolved,
  requireAllowed,
  type AddressPolicy,
  type ResolveName,
} from './addresses.js';
import { errorCode } from '../support/errors.js';
import { parseRetryAfter } from './retries.js';
import type { SendError, SendOutcome } from './shapes.js';

export interface SenderOptions {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveName;
  readonly connectMs?: number;
  readonly totalMs?: number;
}

/** A request to a receiver, ready to go. */
interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Sender = ReturnType<typeof createSender>;

const CONNECT_MS = 3_000;
const TOTAL_MS = 15_000;
const IDLE_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
class Timeout extends Error {}

/** Sends requests to whatever URLs merchants name, and nowhere that the policy forbids. */
export function createSender({ policy, resolve, connectMs = CONNECT_MS, totalMs = TOTAL_MS }: SenderOptions) {
  const connect = buildConnector({ lookup: createVettedLookup(resolve, policy), timeout: connectMs });
  /** Errors of connections that have had a response before. */
  const staleErrors = new WeakSet<Error>();
  const agent = new Agent({
    connect: (target, callback) =>
      connect(target, (...result) => {
        callback(...result);
        const [, socket] = result;
        socket?.on('error', (error: Error) => {
          if (socket.bytesRead > 0) staleErrors.add(error);
        });
      }),
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: totalMs,
    bodyTimeout: READ_MS,
  });

  async function post({ url, headers, body }: SendRequest, abort: AbortController): Promise<Outcome> {
    const { origin, pathname, search } = new URL(url);
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers,
      body,
      signal: abort.signal,
    });
    const retryAfter = response.headers['retry-after'];
    const beginning = await readBeginning(response.body);
    // The agent offers the connection for the next request one turn later.
    await nextTurn();
    return {
      status: response.statusCode,
      error: classifyStatus(response.statusCode),
      retryAfterMs: typeof retryAfter === 'string' ? parseRetryAfter(retryAfter, Date.now()) : undefined,
      ...(beginning === '' ? {} : { response: beginning }),
    };
  }

  async function postVetted(request: SendRequest, abort: AbortController): Promise<Outcome> {
    // An IP address in the URL is not looked up, so the lookup does not vet it.
    requireAllowed(literalAddresses(new URL(request.url)), policy);
    try {
      return await post(request, abort);
    } catch (error) {
      // It may have closed an idle connection just as this was sent. If it has seen the request, it knows the event by its id.
      if (error instanceof Error && staleErrors.has(error)) return post(request, abort);
      throw error;
    }
  }

  return {
    /** Never rejects: a failure is an outcome like any other. */
    async send(request: SendRequest): Promise<SendOutcome> {
      const startedAt = performance.now();
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(new Timeout()), totalMs);
      const outcome = await postVetted(request, abort)
        .catch((error: unknown): Outcome => ({
          status: undefined,
          error: errorWord(error),
          reason: error instanceof Error ? error.message : String(error),
        }))
        .finally(() => clearTimeout(timer));
      return { ...outcome, latencyMs: Math.round(performance.now() - startedAt) };
    },
    close: () => void agent.destroy(),
  };
}

type Outcome = Omit<SendOutcome, 'latencyMs'>;

const KEPT_BYTES = 4_096;
/** Reading on keeps the connection for the next request; a longer body is cut off. */
const READ_BYTES = 64 * 1024;
/** The status decides; nothing waits long for what comes after it. */
const READ_MS = 1_000;

/** The first 4 KiB of a body as text, whatever the receiver does after the head: send no end, send for ever, break off. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), READ_MS);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - bytes));
      bytes += chunk.length;
      if (bytes > READ_BYTES) break;
    }
  } catch {
    // The status has arrived, and that is what counts.
  } finally {
    clearTimeout(timer);
  }
  // Neither half a character at the cut nor one that the database cannot hold.
  return new TextDecoder().decode(Buffer.concat(kept), { stream: true }).replaceAll('\0', '\u{FFFD}');
}

/** undefined for a success. */
function classifyStatus(status: number): SendError | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return 'redirect';
  return status >= 400 && status < 500 ? 'client_error' : 'server_error';
}

function errorWord(error: unknown): SendError {
  if (error instanceof AddressNotAllowed) return 'address_not_allowed';
  if (error instanceof NameNotResolved) return 'name_not_resolved';
  if (error instanceof errors.ConnectTimeoutError) return 'connect_timeout';
  if (error instanceof Timeout || error instanceof errors.HeadersTimeoutError) return 'timeout';
  if (isBadResponse(error)) return 'bad_answer';
  if (error instanceof errors.SocketError) return 'connection_closed';
  const code = errorCode(error) ?? '';
  if (code === 'ECONNREFUSED') return 'connection_refused';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection_closed';
  return TLS_CODE.test(code) ? 'tls' : 'connection_failed';
}

/** undici calls an unasked 100 or 101 a `bad response` or a `bad upgrade`, and the connection is closed. */
function isBadResponse(error: unknown): boolean {
  if (error instanceof errors.SocketError) return error.message.startsWith('bad ');
  return error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
}

const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|EPROTO)/;
