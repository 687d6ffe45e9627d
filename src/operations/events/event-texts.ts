import { type StoredEvent, eventText } from '../../domain/event/event.js';
import { cursorOf, type FeedPosition } from './feed-position.js';
import type { EventPage, StoresEvent } from './read-page.js';

/** An event as it goes out. */
export interface EventText {
  readonly json: string;
  /** As a message of a stream. */
  readonly message: string;
}

/** Texts of events that several readers of one store get alike, for as long as the events themselves are in memory. */
export type KnownTexts = WeakMap<StoredEvent, { readonly epoch: string; readonly text: EventText }>;

export interface TextPage {
  readonly texts: readonly EventText[];
  readonly position: FeedPosition;
  readonly hasMore: boolean;
}

/** The JSON of orders as they are now, as many as fit, by order id; the first of those asked for always fits. */
export type ReadOrderTexts = (
  storeKey: number,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** Past this size a page ends early; it holds at least one event. */
const MOST_BYTES = 1_000_000;

/** `from` is where the page begins. With a reader of orders, each event of an order carries it. */
export async function writeTexts(
  page: EventPage,
  from: FeedPosition,
  known: KnownTexts,
  readOrders?: ReadOrderTexts,
): Promise<TextPage> {
  const isAlike = from.followed.of === 'store' && readOrders === undefined;
  const orders = readOrders === undefined ? undefined : await readOrdersOf(page.events, readOrders);
  const texts: EventText[] = [];
  const lastSeen = new Map(from.lastSeen);
  let size = 0;
  for (const { storeKey, event } of page.events) {
    const order = orders === undefined ? undefined : orderOf(event);
    const text = order === undefined ? undefined : orders?.get(order);
    const isMissing = order !== undefined && text === undefined;
    if (isMissing || (size > 0 && size + event.data.length + (text?.length ?? 0) > MOST_BYTES)) {
      return { texts, position: { ...from, lastSeen }, hasMore: true };
    }
    lastSeen.set(storeKey, event.sequence);
    const earlier = isAlike ? known.get(event) : undefined;
    const written =
      earlier?.epoch === from.epoch ? earlier.text : writeText(event, storeKey, { ...from, lastSeen }, text);
    if (isAlike) known.set(event, { epoch: from.epoch, text: written });
    size += written.json.length;
    texts.push(written);
  }
  return { texts, position: page.position, hasMore: page.hasMore };
}

function writeText(
  event: StoredEvent,
  storeKey: number,
  position: FeedPosition,
  order: string | undefined,
): EventText {
  const cursor = cursorOf(position);
  const json = eventText(event, { storeId: position.followed.stores.get(storeKey) ?? '', cursor }, order);
  return { json, message: `id: ${cursor}\nevent: ${event.type}\ndata: ${json}\n\n` };
}

/** The order that an event tells of, if it tells of one. */
function orderOf({ type, data }: StoredEvent): string | undefined {
  return type.startsWith('order.') ? (JSON.parse(data) as { order_id: string }).order_id : undefined;
}

async function readOrdersOf(
  events: readonly StoresEvent[],
  readOrders: ReadOrderTexts,
): Promise<Map<string, string>> {
  const perStore = new Map<number, Set<string>>();
  for (const { storeKey, event } of events) {
    const id = orderOf(event);
    if (id === undefined) continue;
    const ids = perStore.get(storeKey);
    if (ids === undefined) perStore.set(storeKey, new Set([id]));
    else ids.add(id);
  }
  const texts = new Map<string, string>();
  for (const [storeKey, ids] of perStore) {
    for (const [id, text] of await readOrders(storeKey, [...ids])) texts.set(id, text);
  }
  return texts;
}
