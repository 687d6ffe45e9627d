import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

export interface ToolResult {
  readonly isError: boolean;
  readonly body: Record<string, unknown>;
  /** What a model reads. */
  readonly text: string;
}

export type Assistant = Awaited<ReturnType<typeof connectAssistant>>;

/** An assistant that speaks to the service with the official client, by the newest protocol or by that of 2025. */
export async function connectAssistant(
  address: string,
  headers: Record<string, string> = {},
  mode: 'auto' | 'legacy' = 'auto',
) {
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
  const close = () => client.close();
  onTestFinished(close);
  return {
    client,
    tools: async () => (await client.listTools()).tools,
    call: async (name: string, args: Record<string, unknown> = {}): Promise<ToolResult> => {
      const result = await client.callTool({ name, arguments: args });
      const [content] = result.content;
      return {
        isError: result.isError === true,
        body: result.structuredContent as Record<string, unknown>,
        text: content?.type === 'text' ? content.text : '',
      };
    },
  };
}

interface RpcResponse {
  readonly status: number;
  readonly body: {
    readonly result?: {
      readonly isError?: boolean;
      readonly structuredContent?: Readonly<Record<string, unknown>>;
    };
    readonly error?: { readonly code: number; readonly message: string };
    readonly detail?: unknown;
  };
  readonly bytes: number;
}

/** Sends one message without a client library, so that it may be wrong in any way. */
export async function sendMessage(
  address: string,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<RpcResponse> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await answer.text();
  const body = (text === '' ? {} : JSON.parse(text)) as RpcResponse['body'];
  return { status: answer.status, body, bytes: Buffer.byteLength(text) };
}

export function callMessage(name: string, args: unknown): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
}
