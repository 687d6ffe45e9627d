import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { type AddressPolicy, literalAddresses } from '../domain/webhook/addresses.js';
import type { SendOutcome } from '../domain/webhook/send-outcome.js';
import { parseRetryAfter } from '../domain/webhook/retries.js';
import { classifyError, classifyStatus, ConnectTimeout, WholeTimeout } from './send-errors.js';
import { AddressNotAllowed, createVettedLookup, type ResolveName } from './vetted-lookup.js';

export interface SenderOptions {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveName;
  readonly connectMs?: number;
  readonly wholeMs?: number;
}

/** A request to a receiver, ready to go. */
export interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sender {
  /** Never rejects: a failure is an outcome like any other. */
  send(request: SendRequest): Promise<SendOutcome>;
  close(): void;
}

const CONNECT_MS = 3_000;
const WHOLE_MS = 15_000;
const IDLE_MS = 10_000;
const MOST_HEADER_BYTES = 16 * 1024;

/** Sends requests to whatever merchants name, and nowhere that the policy forbids. */
export function createSender(options: SenderOptions): Sender {
  const { policy, resolve, connectMs = CONNECT_MS, wholeMs = WHOLE_MS } = options;
  const lookup = createVettedLookup(resolve, policy);
  const kept = { keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' } as const;
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) };

  function post({ url, headers, body }: SendRequest, begun: number): Promise<Answered> {
    const target = new URL(url);
    for (const address of literalAddresses(target)) {
      const refusal = policy.refusal(address);
      if (refusal !== undefined) return Promise.reject(new AddressNotAllowed(refusal));
    }
    const isSecure = target.protocol === 'https:';
    const request = (isSecure ? https : http).request(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: agents[isSecure ? 'https:' : 'http:'],
      lookup,
      maxHeaderSize: MOST_HEADER_BYTES,
    });
    const leftMs = Math.max(0, wholeMs - (performance.now() - begun));
    const answer = answerTo(request, { isSecure, connectMs, leftMs });
    request.end(body);
    return answer;
  }

  return {
    async send(request) {
      const begun = performance.now();
      const outcome = await post(request, begun)
        .catch((error: unknown) => {
          // The receiver may have closed a kept connection just as it was used again. Even if it has seen the request,
          // it knows the event by its id.
          if (error instanceof StaleConnection) return post(request, begun);
          throw error;
        })
        .then(describe, (error: unknown) => ({ status: undefined, ...classifyError(error) }));
      return { ...outcome, latencyMs: Math.round(performance.now() - begun) };
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly beginning: string;
}

class StaleConnection extends Error {}

interface Patience {
  readonly isSecure: boolean;
  readonly connectMs: number;
  readonly leftMs: number;
}

function answerTo(request: http.ClientRequest, patience: Patience): Promise<Answered> {
  const { isSecure, connectMs, leftMs } = patience;
  let connecting: NodeJS.Timeout | undefined;
  let whole: NodeJS.Timeout | undefined;
  const isConnected = () => clearTimeout(connecting);

  return new Promise<Answered>((resolve, reject) => {
    // A request that Node has given up already, as after an answer that it does not know, tells of no error any more.
    const giveUp = (error: Error) => {
      request.destroy(error);
      reject(error);
    };
    connecting = setTimeout(giveUp, connectMs, new ConnectTimeout());
    whole = setTimeout(giveUp, leftMs, new WholeTimeout());
    request.once('socket', (socket: Socket) => {
      if (request.reusedSocket) isConnected();
      else socket.once(isSecure ? 'secureConnect' : 'connect', isConnected);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(isStale ? new StaleConnection() : error);
    });
    request.once('upgrade', ({ statusCode: status = 101 }, socket) => {
      socket.destroy();
      resolve({ status, retryAfter: undefined, beginning: '' });
    });
    request.once('response', (response) => {
      void readBeginning(response).then((beginning) =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          beginning,
        }),
      );
    });
  }).finally(() => {
    clearTimeout(connecting);
    clearTimeout(whole);
  });
}

function describe({ status, retryAfter, beginning }: Answered): Omit<SendOutcome, 'latencyMs'> {
  return {
    status,
    error: classifyStatus(status),
    retryAfterMs: parseRetryAfter(retryAfter, Date.now()),
    ...(beginning === '' ? {} : { response: beginning }),
  };
}

const KEPT_BYTES = 4_096;
/** So much is read on, to keep the connection for the next request; whoever sends more is cut off. */
const READ_BYTES = 64 * 1024;
/** The status is the answer; nothing waits long for what comes after it. */
const READ_MS = 1_000;

/** The first 4 KiB of an answer as text, whatever the receiver does after the head: send no end, send for ever, break off. */
function readBeginning(response: http.IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(late);
      if (!response.complete) response.destroy();
      resolve(toText(Buffer.concat(kept)));
    };
    const late = setTimeout(finish, READ_MS);
    response.on('data', (chunk: Buffer) => {
      if (bytes < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - bytes));
      bytes += chunk.length;
      if (bytes > READ_BYTES) finish();
    });
    response.on('error', () => undefined);
    response.once('close', finish);
    response.once('end', finish);
  });
}

/** Neither half a character at the cut nor one that the database cannot hold. */
function toText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\u{FFFD}');
}
