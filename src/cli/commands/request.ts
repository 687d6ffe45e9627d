import { ApiError, type ByteStream, type Method } from '#sdk';
import { InvalidArgumentError, type Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { CommandFailed, EXIT, exitCodeOf } from '../exit-codes.js';
import { perform } from '../session.js';
import { writeLine, type Terminal } from '../terminal.js';

interface RequestFlags {
  readonly data?: string;
  readonly header: readonly string[];
  readonly include?: boolean;
}

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function addRequestCommand(program: Command, terminal: Terminal): void {
  const request = program
    .command('request')
    .description('send any request, and print its answer as it comes')
    .argument('<method>', 'GET, POST, ...', toMethod)
    .argument('<path>', 'such as /v1/stores/', toPath)
    .option('-d, --data <json>', 'the body; @file reads it from a file, @- from the standard input')
    .option('-H, --header <name:value...>', 'more headers', [])
    .option('-i, --include', 'print status and headers first');
  perform(request, terminal, async ({ connect }, flags: RequestFlags, method: Method, path: string) => {
    const client = await connect();
    const body = flags.data === undefined ? undefined : await readBody(terminal, flags.data);
    const headers = Object.fromEntries(flags.header.map(toHeader));
    try {
      const answer = await client.request({ method, path, body, headers, answer: 'bytes' });
      if (flags.include === true) {
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
  });
}

/** For people JSON is indented; a program gets the bytes that came. */
async function print(terminal: Terminal, body: ByteStream, isJson: boolean): Promise<void> {
  if (terminal.isForPeople && isJson) {
    const text = await new Response(body).text();
    if (text !== '') writeLine(terminal.stdout, JSON.stringify(JSON.parse(text), null, 2));
    return;
  }
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) terminal.stdout.write(piece);
}

async function readBody({ stdin }: Terminal, data: string): Promise<Uint8Array> {
  if (!data.startsWith('@')) return new TextEncoder().encode(data);
  if (data !== '@-') return readFile(data.slice(1));
  const pieces: Buffer[] = [];
  for await (const piece of stdin) pieces.push(Buffer.from(piece as Buffer));
  return Buffer.concat(pieces);
}

function toMethod(text: string): Method {
  const method = METHODS.find((known) => known === text.toUpperCase());
  if (method === undefined) throw new InvalidArgumentError(`It should be one of ${METHODS.join(', ')}.`);
  return method;
}

function toPath(text: string): string {
  if (!text.startsWith('/'))
    throw new InvalidArgumentError('It should begin with a slash, such as /v1/stores/');
  return text;
}

function toHeader(text: string): readonly [string, string] {
  const at = text.indexOf(':');
  if (at < 1) throw new CommandFailed(EXIT.usage, `The header ${text} should be name:value.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
