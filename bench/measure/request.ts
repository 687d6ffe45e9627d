export interface RequestSpec {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** The bytes of a request, made once and sent many times. */
export function requestBytes({ path, method = 'GET', headers = {}, body }: RequestSpec): Buffer {
  const content = body === undefined ? undefined : Buffer.from(body);
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1'];
  const type = content === undefined ? {} : { 'content-type': 'application/json' };
  for (const [name, value] of Object.entries({ ...type, ...headers })) lines.push(`${name}: ${value}`);
  if (content !== undefined) lines.push(`content-length: ${content.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  return content === undefined ? head : Buffer.concat([head, content]);
}
