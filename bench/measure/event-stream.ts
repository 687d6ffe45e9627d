import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

export interface OpenStream {
  close(): void;
}

/** Follows a stream of events; `onEvent` gets the moment at which each arrived, and its data. */
export async function openStream(
  port: number,
  path: string,
  key: string,
  onEvent: (at: number, data: string) => void,
): Promise<OpenStream> {
  const request = get({ host: '127.0.0.1', port, path, agent: false, headers: { 'x-api-key': key } });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode ?? 0}`);
  let text = '';
  answer.setEncoding('utf8').on('data', (piece: string) => {
    const at = performance.now();
    text += piece;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const data = /^data: (.+)$/m.exec(message)?.[1];
      if (data !== undefined) onEvent(at, data);
    }
  });
  answer.on('error', () => undefined);
  request.on('error', () => undefined);
  return { close: () => request.destroy() };
}
