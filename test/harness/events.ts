import { ask, type Answer } from './client.js';
import type { Service } from './service.js';

export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly store_id: string;
  readonly sequence: number;
  readonly cursor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface FeedBody {
  readonly events: readonly EventBody[];
  readonly cursor: string;
  readonly has_more: boolean;
  readonly detail?: unknown;
}

export interface Reader {
  readonly key: string;
  /** Default: all stores of the key. */
  readonly storeId?: string;
}

export function eventsUrl({ url }: Pick<Service, 'url'>, { storeId }: Reader): string {
  return storeId === undefined ? `${url}/manage/v1/events` : `${url}/manage/v1/stores/${storeId}/events`;
}

export function readFeed(
  service: Pick<Service, 'url'>,
  reader: Reader,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer<FeedBody>> {
  const search = new URLSearchParams(query).toString();
  return ask<FeedBody>(`${eventsUrl(service, reader)}?${search}`, { key: reader.key });
}

export interface Message {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
  readonly comment?: string;
}

/** The messages of a stream as they arrive; ends when the stream does or the signal aborts. */
export async function* readStream(
  service: Pick<Service, 'url'>,
  reader: Reader,
  {
    query = {},
    lastEventId,
    signal,
  }: { query?: Record<string, string>; lastEventId?: string; signal?: AbortSignal } = {},
): AsyncGenerator<Message> {
  const answer = await fetch(
    `${eventsUrl(service, reader)}/stream?${new URLSearchParams(query).toString()}`,
    {
      headers: {
        'x-api-key': reader.key,
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      ...(signal === undefined ? {} : { signal }),
    },
  );
  if (answer.status !== 200 || answer.body === null)
    throw new Error(`${answer.status} ${await answer.text()}`);
  let text = '';
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield parseMessage(block);
  }
}

function parseMessage(block: string): Message {
  const fields = block.split('\n').map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at) || 'comment', line.slice(at + 1).replace(/^ /, '')] as const;
  });
  return Object.fromEntries(fields);
}
