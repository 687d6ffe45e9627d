/** What the page asks the service: `/guest/v1`, as its OpenAPI document describes it. */

export interface Text {
  readonly translations: Readonly<Record<string, string>>;
}

type Asked = 'required' | 'optional' | 'none';

export interface Place {
  readonly store: {
    readonly name: Text;
    readonly timezone: string;
    readonly currency?: string;
    /** At a pick-up place. */
    readonly address?: string;
    readonly phone?: string;
  };
  readonly place: { readonly label: string; readonly kind: 'table' | 'pickup' };
  readonly intake: Intake;
  /** The store's first language comes first. */
  readonly languages: readonly string[];
  readonly wants: { readonly name: Asked; readonly phone: Asked };
  readonly welcome?: Text;
}

interface Intake {
  readonly state: 'open' | 'busy' | 'paused' | 'closed';
  readonly until?: string;
  readonly next_at?: string;
  readonly note?: string;
  readonly ready_in_minutes?: number;
  /** What an order without a long dish is promised now. */
  readonly ready_by?: string;
}

interface Entity {
  readonly external_id: string;
  readonly name: Text;
  readonly description?: Text | undefined;
}

export interface Modifier extends Entity {
  readonly price_change: number;
  readonly tax_change: number;
  readonly in_stock: boolean;
  readonly min_quantity: number;
  readonly max_quantity: number;
  readonly default_quantity: number;
  readonly menu_item_external_id?: string | undefined;
}

export interface Group extends Entity {
  readonly group_min: number;
  readonly group_max: number;
  readonly charge_after: number;
  readonly modifier_items: readonly Modifier[];
}

export type Diet = 'VEGAN' | 'VEGETARIAN' | 'GLUTEN_FREE';

interface PhotoSize {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

export interface Item extends Entity {
  readonly price: number;
  readonly tax: number;
  readonly in_stock: boolean;
  /** Where few are. */
  readonly left?: number | undefined;
  readonly sell_separately: boolean;
  readonly modifier_groups: readonly Group[];
  readonly ingredients?: string | undefined;
  readonly allergens?: string | undefined;
  readonly dietary_labels?: readonly Diet[] | undefined;
  readonly alcohol_by_volume?: number | undefined;
  readonly photo?: (PhotoSize & { readonly small?: PhotoSize | undefined }) | undefined;
}

export interface Category extends Entity {
  readonly items: readonly Item[];
}

export interface Menu {
  readonly menu_configuration: readonly { readonly categories: readonly Category[] }[];
  /** Items with choices of their own that modifier items stand for. */
  readonly components: readonly Item[];
}

export interface ModifierLine {
  readonly group_external_id: string;
  readonly external_id: string;
  readonly quantity: number;
  readonly modifiers?: readonly ModifierLine[];
}

export interface Line {
  readonly external_id: string;
  readonly quantity: number;
  readonly modifiers: readonly ModifierLine[];
  readonly comments?: string;
}

export interface Total {
  readonly price: number;
  readonly tax: number;
}

export interface Quote extends Total {
  readonly ready_by?: string;
}

export interface OrderRequest {
  readonly items: readonly Line[];
  readonly customer?: { readonly name?: string; readonly phone?: string };
  readonly customer_comments?: string;
  readonly ready_by?: string;
  readonly expected_total: Total;
}

export type Status =
  'PENDING' | 'ACCEPTED' | 'READY' | 'FULFILLED' | 'REJECTED' | 'CUSTOMER_CANCELLED' | 'STORE_CANCELLED';

/** What changes of an order while the guest waits. */
export interface Progress {
  readonly status: Status;
  readonly ready_by: string;
  readonly reason?: string;
  readonly reason_text?: string;
  readonly price: number;
  readonly tax: number;
  /** Missing in orders that the page remembers from before. */
  readonly due?: number;
}

export interface Order extends Progress, Total {
  readonly number?: number;
  /** As the place is. */
  readonly service?: 'dine_in' | 'pickup';
  readonly items: readonly OrderedLine[];
  /** As it was ordered, where the store has changed it. */
  readonly original?: Total & { readonly items: readonly OrderedLine[] };
}

interface OrderedLine {
  readonly name: string;
  readonly quantity: number;
}

export interface TakenOrder extends Order {
  readonly token: string;
}

export interface ErrorDetail {
  readonly loc: readonly (string | number)[];
  readonly type: string;
  readonly msg: string;
  readonly ctx?: {
    readonly left?: number;
    readonly next_at?: string;
    readonly latest?: string;
    readonly group_external_id?: string;
  };
}

/** The service has answered, and not as hoped. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly errors: readonly ErrorDetail[],
    /** The answer to an order whose total has moved. */
    readonly quote: Quote | undefined,
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(`The service answered ${status}`);
  }
}

const SLOWEST_ANSWER_MS = 30_000;

interface Request {
  readonly method?: 'POST';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is none of ours, such as the page of a proxy, is as if there were none. */
async function send(path: string, { method, body, headers }: Request): Promise<Response> {
  const answer = await fetch(`/guest/v1/${path}`, {
    ...(method === undefined ? {} : { method }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    credentials: 'omit',
    signal: AbortSignal.timeout(SLOWEST_ANSWER_MS),
  });
  if (answer.ok || answer.status === 304) return answer;
  throw await toRefused(answer);
}

async function toRefused(answer: Response): Promise<Refused> {
  const body = (await answer.json()) as { detail?: unknown; quote?: Quote };
  const errors = Array.isArray(body.detail) ? (body.detail as readonly ErrorDetail[]) : [];
  const seconds = Number(answer.headers.get('retry-after') ?? NaN);
  return new Refused(answer.status, errors, body.quote, Number.isFinite(seconds) ? seconds : undefined);
}

async function ask<T>(path: string, request: Request = {}): Promise<T> {
  return (await (await send(path, request)).json()) as T;
}

const at = (...segments: readonly string[]) => segments.map(encodeURIComponent).join('/');

export const readPlace = (code: string) => ask<Place>(at('places', code));

/** What is served when the order is to be ready; undefined where that is still the menu with this tag. */
export async function readMenu(
  code: string,
  etag: string | undefined,
  readyBy: string | undefined,
): Promise<{ menu: Menu; etag: string | undefined } | undefined> {
  const headers = etag === undefined ? {} : { 'if-none-match': etag };
  const query = readyBy === undefined ? '' : `?at=${encodeURIComponent(readyBy)}`;
  const answer = await send(at('places', code, 'menu') + query, { headers });
  if (answer.status === 304) return undefined;
  return { menu: (await answer.json()) as Menu, etag: answer.headers.get('etag') ?? undefined };
}

export const askQuote = (code: string, items: readonly Line[], readyBy: string | undefined) =>
  ask<Quote>(at('places', code, 'quote'), {
    method: 'POST',
    body: { items, ...(readyBy === undefined ? {} : { ready_by: readyBy }) },
  });

/** The same key with the same body is the same order, however often it is sent. */
export const sendOrder = (code: string, key: string, body: OrderRequest) =>
  ask<TakenOrder>(at('places', code, 'orders'), {
    method: 'POST',
    body,
    headers: { 'idempotency-key': key },
  });

export const readOrder = (token: string) => ask<Order>(at('orders', token));

export const cancelOrder = (token: string) => ask<Order>(at('orders', token, 'cancel'), { method: 'POST' });

export const streamOf = (token: string) => `/guest/v1/${at('orders', token, 'stream')}`;
