/** How an operation is carried out; the generated table has one for each. */
export interface OperationSpec {
  readonly method: Method;
  /** With `{name}` for each path parameter. */
  readonly path: string;
  /** The content type of the body, for operations that take one. */
  readonly body?: string;
  readonly hasQuery?: true;
  /** A repeated POST with the same Idempotency-Key does its work once. */
  readonly isIdempotencyKeyed?: true;
  readonly answer: AnswerKind;
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type AnswerKind = 'json' | 'lines' | 'bytes' | 'nothing';

/** Options of a single call. */
export interface CallOptions {
  /** Sent with the request; these override the client's own. */
  headers?: Record<string, string> | undefined;
  /** Aborts the call, also while it waits to retry. */
  signal?: AbortSignal | undefined;
  /** For operations that support it. Default: a generated one, so that a POST can be retried. */
  idempotencyKey?: string | undefined;
}

export type ByteStream = ReadableStream<Uint8Array>;

/** What can be sent as a stream of bytes; text is sent as UTF-8. */
export type StreamedBody = string | Uint8Array | ByteStream | AsyncIterable<string | Uint8Array>;

/** Newline-delimited JSON: read it value by value, or take the bytes as they come. Either, once. */
export interface Lines<T> extends AsyncIterable<T> {
  readonly bytes: ByteStream;
}

/** A response with status, headers and body. */
export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}
