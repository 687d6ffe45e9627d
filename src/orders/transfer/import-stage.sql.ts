import { ATTENTION_REASONS } from '../attention/attention-clock.js';
import { hourOf } from '../list/counts.sql.js';
import type { NewOrder } from '../intake/new-order.js';
import { isFinal } from '../status.js';
import { DAY_MS } from '../../support/datetime.js';

/** The temporary table into which an import copies its orders, and a line of it. */

/**
 * The columns of the stage after the store, in their order. `hour` numbers the bucket of the count, `line` the line of the
 * import.
 */
const STAGED_COLUMNS = {
  id: 'uuid',
  created_at: 'timestamptz',
  ready_by: 'timestamptz',
  completed_at: 'timestamptz',
  updated_at: 'timestamptz',
  status: 'order_status',
  is_read: 'boolean',
  in_pos: 'boolean',
  price: 'bigint',
  tax: 'bigint',
  external_id: 'text',
  fingerprint: 'text',
  customer_name: 'text',
  customer_phone: 'text',
  customer_comments: 'text',
  items: 'text',
  name: 'text',
  digits: 'text',
  is_long: 'boolean',
  grams: 'integer[]',
  item_count: 'integer',
  prep_minutes: 'integer',
  reason: 'text',
  reason_text: 'text',
  place_id: 'uuid',
  place_label: 'text',
  place_kind: 'text',
  number: 'smallint',
  facts: 'text',
  due: 'bigint',
  reference_keys: 'integer[]',
  attention_at: 'timestamptz',
  attention_raised: 'text[]',
  hour: 'integer',
  local_hour: 'integer',
  line: 'integer',
} as const;

/**
 * One line of COPY's text form for the stage: the store, then the values of STAGED_COLUMNS in their order. Written out by
 * hand because an import spends most of its time here; only what a caller wrote can need escaping.
 */
export function stageLine(storeKey: number, order: NewOrder, localHour: number, line: number): string {
  const fields = `${storeKey}\t${order.id}\t${order.createdAt}\t${order.readyBy}\t${order.completedAt ?? '\\N'}\t${order.arrivedAt}\t${order.status}\t${
    order.isRead
  }\t${order.inPos}\t${order.price}\t${order.tax}\t${escaped(order.externalId)}\t${order.fingerprint}`;
  const customer = `${escaped(order.customerName)}\t${escaped(order.customerPhone)}\t${escaped(order.customerComments)}`;
  const searched = `${escaped(order.name)}\t${order.digits}\t${order.isLong}\t{${order.grams.join(',')}}`;
  const { reason, reasonText, place } = order;
  const managed = `${escaped(reason)}\t${escaped(reasonText)}\t${escaped(place?.id)}\t${escaped(place?.label)}\t${escaped(place?.kind)}\t${order.number ?? '\\N'}\t${escaped(order.facts)}\t${
    order.due === order.price + order.tax ? '\\N' : order.due
  }\t${order.referenceKeys === undefined ? '\\N' : `{${order.referenceKeys.join()}}`}`;
  return `${fields}\t${customer}\t${escaped(order.items)}\t${searched}\t${order.itemCount}\t${order.prepMinutes ?? '\\N'}\t${managed}\t${attention(order)}\t${hourOf(order.createdMs)}\t${localHour}\t${line}\n`;
}

/**
 * The clock checks an open order after the import. An order that should have been ready more than a day ago is never raised.
 */
function attention({ status, readyBy, arrivedAt }: NewOrder): string {
  if (isFinal(status)) return '\\N\t\\N';
  const isOld = Date.parse(readyBy) < Date.parse(arrivedAt) - DAY_MS;
  return isOld ? `\\N\t{${ATTENTION_REASONS.join()}}` : `${arrivedAt}\t\\N`;
}

function escaped(text: string | undefined): string {
  if (text === undefined) return '\\N';
  return SPECIAL.test(text)
    ? text.replace(EACH_SPECIAL, (character) => ESCAPED[character] ?? character)
    : text;
}

const SPECIAL = /[\\\n\r\t]/;
const EACH_SPECIAL = /[\\\n\r\t]/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const NAMES = Object.keys(STAGED_COLUMNS);
export const COLUMNS = NAMES.join(', ');

/** What an order keeps in another form, or not at all. */
const STAGED_ONLY = ['fingerprint', 'name', 'digits', 'is_long', 'grams', 'hour', 'line'];
export const ORDER_COLUMNS = NAMES.filter((name) => !STAGED_ONLY.includes(name));

export const CREATE_STAGE = `CREATE TEMPORARY TABLE IF NOT EXISTS order_stage (
  store_key integer, ${Object.entries(STAGED_COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')}) ON COMMIT DELETE ROWS`;
