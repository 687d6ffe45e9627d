import { requireDocumented } from './documented.js';

export interface Answer<T = unknown> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

export interface Ask {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends one request; a body that is not text or bytes is sent as JSON. */
export async function ask<T = unknown>(
  url: string,
  { method = 'GET', key, body, headers = {} }: Ask = {},
): Promise<Answer<T>> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await answer.text();
  requireDocumented(url, method, answer, text);
  const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '') && text !== '';
  return { status: answer.status, body: (isJson ? JSON.parse(text) : text) as T, headers: answer.headers };
}
