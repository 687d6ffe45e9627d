/** What the load process is asked to do, and what it answers. */
export interface LoadJob {
  readonly port: number;
  /** Whole requests, head and body; connections take the next one in turn. */
  readonly requests: readonly Uint8Array[];
  readonly connections: number;
  /** No request begins after this many milliseconds; the ones under way are waited for. */
  readonly durationMs: number;
  /** Ends the job early, after this many requests in all. */
  readonly most?: number | undefined;
  readonly expectStatus: number;
}

export interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly bytes: number;
  /** Milliseconds from the first byte sent to the last one received. */
  readonly latency: { readonly median: number; readonly p99: number; readonly max: number };
}

export type LoadReply =
  { readonly ok: true; readonly result: LoadResult } | { readonly ok: false; readonly reason: string };
