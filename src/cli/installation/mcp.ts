import { ApiError, type Client, ComandaError } from '#sdk';
import { createInterface } from 'node:readline';
import { parseIfJson } from '../../support/text-file.js';
import { command, type CommandRow } from '../lib/command.js';
import { writeInTime } from '../lib/terminal.js';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly _meta?: Readonly<Record<string, unknown>> };
}

export const MCP_ROWS: readonly CommandRow[] = [
  command('mcp', 'give an assistant on this machine the tools of the service (MCP over stdio)', {
    run: async ({ client, terminal: { stdin, stdout } }) => {
      const underWay = new Set<Promise<void>>();
      for await (const line of createInterface({ input: stdin })) {
        if (line.trim() === '') continue;
        const answering = passOn(client, line).then((response) =>
          response === undefined ? undefined : writeInTime(stdout, `${response}\n`),
        );
        underWay.add(answering);
        void answering.finally(() => underWay.delete(answering));
      }
      await Promise.all(underWay);
    },
  }),
];

/** The answer of the service to one message, in one line. A notification has none. */
async function passOn(client: Client, line: string): Promise<string | undefined> {
  let message: Message = {};
  try {
    message = (JSON.parse(line) ?? {}) as Message;
    const request = { method: 'POST', path: '/mcp', body: message, headers: headersOf(message) } as const;
    const { body } = await client.request(request);
    return body === undefined || body === '' ? undefined : JSON.stringify(body);
  } catch (error) {
    if (!(error instanceof ComandaError || error instanceof SyntaxError)) throw error;
    const code = error instanceof SyntaxError ? PARSE_ERROR : SERVER_ERROR;
    const { id = null } = message;
    if (id === null && message.method !== undefined) return undefined;
    const said = error instanceof ApiError ? protocolError(error.detail) : undefined;
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      error: said ?? { code, message: error.message.toWellFormed() },
    });
  }
}

/** An error of the protocol itself, such as of a version that the service does not speak: clients go by its code. */
function protocolError(detail: unknown): unknown {
  return (parseIfJson(String(detail)) as { readonly error?: unknown } | null | undefined)?.error;
}

const PARSE_ERROR = -32700;
const SERVER_ERROR = -32000;
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const PLAIN = /^[\x20-\x7e]+$/;

/** What HTTP says again in headers since the protocol of 2026. */
function headersOf({ method, params }: Message): Record<string, string> {
  const stated = {
    'mcp-protocol-version': params?._meta?.[VERSION],
    'mcp-method': method,
    'mcp-name': params?.name,
  };
  if (stated['mcp-protocol-version'] === undefined) return {};
  return Object.fromEntries(
    Object.entries(stated).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && PLAIN.test(entry[1]),
    ),
  );
}
