import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import type { MenuNow } from './amend-lines.js';
import { parseFacts, referenceKeys } from './facts.js';
import { portionsOf, prepMinutesOf } from './intake/portions.js';
import { nameAt, type OrderState, type ShownManagedOrder } from './json.sql.js';
import { countItems, readLines } from './lines.js';
import { searchedOrder } from './list/search-text.js';

interface Changed {
  readonly before: ShownManagedOrder;
  readonly state: OrderState;
}

/** The columns that follow from what was ordered and said; undefined where none of it has changed. */
export function amendedColumns(
  store: Pick<RequestedStore, 'storeKey' | 'menu' | 'intakeRevision'>,
  { before, state }: Changed,
  menu: MenuNow | undefined,
): object | undefined {
  const { items, facts, price, tax, due, customerName, customerPhone, lineTotals } = state;
  const isRenamed = customerName !== before.customerName || customerPhone !== before.customerPhone;
  const isOther =
    isRenamed ||
    items !== before.items ||
    facts !== before.facts ||
    price !== before.price ||
    tax !== before.tax;
  if (!isOther) return undefined;
  const { name, digits, isLong, grams } = searchedOrder(
    store.storeKey,
    nameAt(customerName, before.number === undefined ? undefined : before.place),
    customerPhone,
  );
  return {
    price,
    tax,
    items,
    facts,
    due: due === price + tax ? undefined : due,
    reference_keys: referenceKeys(store.storeKey, parseFacts(facts).references),
    line_totals: lineTotals,
    customer_name: customerName,
    customer_phone: customerPhone,
    ...(isRenamed ? { name, digits, is_long: isLong, grams } : {}),
    ...(menu === undefined || items === before.items ? {} : kitchenColumns(store, { before, state }, menu)),
  };
}

/** What the kitchen makes, and how many more or fewer of the counted items. */
function kitchenColumns(
  { menu: { isCounted }, intakeRevision }: Pick<RequestedStore, 'menu' | 'intakeRevision'>,
  { before, state }: Changed,
  { list, counted }: MenuNow,
): object {
  const linesOf = ({ items }: { readonly items: string }) => readLines(JSON.parse(items) as unknown[]);
  const countsOf = (some: ReturnType<typeof readLines>) =>
    new Map(portionsOf(isCounted ? some : [], counted).map(({ entity_id: id, units }) => [id, units]));
  const lines = linesOf(state);
  const [former, wanted] = [countsOf(linesOf(before)), countsOf(lines)];
  return {
    item_count: countItems(lines),
    prep_minutes: intakeRevision === 0 ? undefined : prepMinutesOf(lines, list),
    moves: [...new Set([...former.keys(), ...wanted.keys()])].flatMap((id) => {
      const units = (wanted.get(id) ?? 0) - (former.get(id) ?? 0);
      return units === 0 ? [] : [{ entity_id: id, units, wanted: wanted.get(id) ?? 0 }];
    }),
    is_checked: state.lineTotals !== undefined,
  };
}
