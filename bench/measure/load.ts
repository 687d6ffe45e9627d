import { startProgram } from '../servers/programs.js';

export interface LoadJob {
  readonly port: number;
  /** Whole requests, head and body; connections take the next one in turn. */
  readonly requests: readonly Uint8Array[];
  readonly connections: number;
  /** No request begins after this many milliseconds; those in progress are waited for. */
  readonly durationMs: number;
  /** Ends the job early, after this many requests in all. */
  readonly most?: number;
  /** Any other status fails the job. Default: 200. */
  readonly expectStatus?: number | undefined;
}

export interface LoadResult {
  readonly responses: number;
  readonly seconds: number;
  /** Milliseconds from the first byte sent to the last one received. */
  readonly latency: { readonly median: number; readonly p99: number };
}

/** The load generator: a process of its own, with keep-alive connections and no pipelining. */
export interface Load {
  run(job: LoadJob): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startLoad(): Load {
  return startProgram('measure/load-process');
}

export interface RequestSpec {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** The bytes of a request, made once and sent many times. */
export function requestBytes({ path, headers = {}, body, method }: RequestSpec): Buffer {
  const content = Buffer.from(body ?? '');
  const ofBody = { 'content-type': 'application/json', 'content-length': content.length };
  const all = { host: '127.0.0.1', ...(body === undefined ? {} : ofBody), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const first = `${method ?? (body === undefined ? 'GET' : 'POST')} ${path} HTTP/1.1\r\n`;
  return Buffer.concat([Buffer.from(`${first}${lines.join('')}\r\n`), content]);
}
