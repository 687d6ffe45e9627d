import { ApiError, type ByteStream, type Method } from '#sdk';
import { InvalidArgumentError } from 'commander';
import { createReadStream } from 'node:fs';
import { command, type CommandRow } from '../lib/command.js';
import { readAll } from '../lib/documents.js';
import { CommandFailed, exitCodeOf, UsageError } from '../lib/errors.js';
import { type Terminal, writeInTime, writeLine } from '../lib/terminal.js';

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const REQUEST_ROWS: readonly CommandRow[] = [
  command('request', 'send any request and print the response', {
    takes: [
      ['<method>', 'GET, POST, ...', toMethod],
      ['<path>', 'such as /v1/stores/', toPath],
    ],
    flags: [
      ['-d, --data <json>', 'request body; @file reads a file, @- standard input'],
      ['-H, --header <name:value...>', 'additional headers', undefined, []],
      ['-i, --include', 'print status and headers first'],
    ],
    run: async ({ client, terminal }, { method, path, data, header, include }) => {
      const body = data === undefined ? undefined : await readBody(terminal, data);
      const headers = Object.fromEntries(header.map(toHeader));
      try {
        const answer = await client.request({ method, path, body, headers, answer: 'bytes' });
        if (include === true) {
          writeLine(terminal.stdout, `HTTP ${answer.status}`);
          for (const [name, value] of answer.headers) writeLine(terminal.stdout, `${name}: ${value}`);
          writeLine(terminal.stdout, '');
        }
        const isJson = answer.headers.get('content-type')?.includes('json') === true;
        await print(terminal, answer.body as ByteStream, isJson);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        writeLine(terminal.stdout, JSON.stringify({ detail: error.detail }, null, 2));
        throw new CommandFailed(exitCodeOf(error), `The service answered ${error.status}.`);
      }
    },
  }),
];

/** Outside a terminal the bytes are passed on unchanged. In a terminal JSON is indented. */
async function print({ stdout, isForPeople }: Terminal, body: ByteStream, isJson: boolean): Promise<void> {
  if (isForPeople && isJson) {
    const json = await new Response(body).text();
    if (json !== '') writeLine(stdout, JSON.stringify(JSON.parse(json), null, 2));
    return;
  }
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) await writeInTime(stdout, chunk);
}

function readBody({ stdin }: Terminal, data: string): Promise<Uint8Array> {
  if (!data.startsWith('@')) return Promise.resolve(new TextEncoder().encode(data));
  return data === '@-'
    ? readAll(stdin, 'standard input')
    : readAll(createReadStream(data.slice(1)), data.slice(1));
}

function toMethod(text: string): Method {
  const method = METHODS.find((known) => known === text.toUpperCase());
  if (method === undefined) throw new InvalidArgumentError(`Expected one of ${METHODS.join(', ')}.`);
  return method;
}

function toPath(text: string): string {
  if (!text.startsWith('/'))
    throw new InvalidArgumentError('Expected a path that starts with a slash, such as /v1/stores/');
  return text;
}

function toHeader(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageError(`Invalid header ${text}: expected name:value.`);
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}
