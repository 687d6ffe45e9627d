import { ask, type Answer } from './client.js';
import type { Service } from './service.js';

export interface WebhookBody {
  readonly id: string;
  readonly secret: string;
  readonly status: string;
  readonly disabled_reason?: string;
  readonly lag: readonly {
    readonly store_id: string;
    readonly behind: number;
    readonly oldest_at?: string;
  }[];
  readonly parked: readonly { readonly event_id: string; readonly sequence: number }[];
  readonly [more: string]: unknown;
}

export interface DeliveryBody {
  readonly event_id: string;
  readonly type: string;
  readonly sequence?: number;
  readonly attempt: number;
  readonly status?: number;
  readonly error?: string;
  readonly response?: string;
}

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly store_id: string;
  readonly sequence: number;
  readonly cursor: string;
  readonly data: Record<string, unknown>;
}

type Json = Record<string, unknown>;

/** Speaks to the webhooks of whom the key is. */
export function webhookClient({ url }: Pick<Service, 'url'>, key: string | undefined) {
  const send = <T = Json>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    ask<T>(`${url}/manage/v1/webhooks${path}`, {
      method,
      key,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  return {
    send,
    create: (body: object) => send<WebhookBody>('POST', '', body),
    get: (id: string): Promise<Answer<WebhookBody>> => send<WebhookBody>('GET', `/${id}`),
    deliveries: async (id: string) =>
      (await send<DeliveryBody[]>('GET', `/${id}/deliveries?limit=1000`)).body,
  };
}

export type WebhookClient = ReturnType<typeof webhookClient>;

/** The endpoint, which must be made. */
export async function createWebhook(client: WebhookClient, body: object): Promise<WebhookBody> {
  const answer = await client.create(body);
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export function eventsOf(requests: readonly { readonly body: string }[]): ReceivedEvent[] {
  return requests.map(({ body }) => JSON.parse(body) as ReceivedEvent);
}
