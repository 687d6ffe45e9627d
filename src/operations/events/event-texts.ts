import type { StoredEvent } from '../../domain/event/event.js';
import { eventText } from '../../domain/event/event-text.js';
import { cursorOf, type Place } from './place.js';
import type { EventPage, StoresEvent } from './read-page.js';

/** An event as it goes out: its JSON, and the cursor that leads on from it. */
export interface EventText {
  readonly type: string;
  readonly cursor: string;
  readonly json: string;
}

export interface TextPage {
  readonly texts: readonly EventText[];
  readonly place: Place;
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
  from: Place,
  readOrders?: ReadOrderTexts,
): Promise<TextPage> {
  const orders = readOrders === undefined ? undefined : await readOrdersOf(page.events, readOrders);
  const texts: EventText[] = [];
  const positions = new Map(from.positions);
  let size = 0;
  for (const { storeKey, event } of page.events) {
    const order = orders === undefined ? undefined : orderOf(event);
    const text = order === undefined ? undefined : orders?.get(order);
    const isMissing = order !== undefined && text === undefined;
    if (isMissing || (size > 0 && size + event.data.length + (text?.length ?? 0) > MOST_BYTES)) {
      return { texts, place: { ...from, positions }, hasMore: true };
    }
    positions.set(storeKey, event.sequence);
    const cursor = cursorOf({ ...from, positions });
    const json = eventText(event, { storeId: from.followed.stores.get(storeKey) ?? '', cursor }, text);
    size += json.length;
    texts.push({ type: event.type, cursor, json });
  }
  return { texts, place: page.place, hasMore: page.hasMore };
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
