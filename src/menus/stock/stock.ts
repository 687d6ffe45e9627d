import { BATCH_SIZES } from '../../support/bounds.js';
import { createBatches } from '../../postgres/batch.js';
import type { Database, Transaction } from '../../postgres/database.js';
import { audit, type Change } from '../../audit/audit.sql.js';
import { appendEvents } from '../../events/events.sql.js';
import { findListed, type ListedEntity } from '../publish/entities.sql.js';
import { lockMarks, putMarks, readStockMarks, setStockRevision } from './stock.sql.js';
import { lockMenu } from '../versions/versions.sql.js';
import type { StoreTenant } from '../../support/fair-semaphore.js';
import { NotFound } from '../../support/errors.js';
import { viaOf, type Actor } from '../../support/actor.js';
import type { Act, NewEvent } from '../../events/event.js';
import { stockChanged } from '../events.js';
import { ErrorList, shownExternalId, ValidationFailed, type Loc } from '../../support/error-details.js';
import type { Kind, StockedKind } from '../kinds.js';
import { changeMark, isInStock, nextRevision, type StockChange, type KeptMark } from './marks.js';
import type { StockMark } from './shapes.js';
import { refuseLargeTree } from '../tree/size.js';

const LONGEST_SUBJECT = 300;

interface WantedMark {
  readonly kind: StockedKind;
  readonly externalId: string;
  readonly mark: StockChange;
}

/** Marks that are made together or not at all. */
export interface MarkRequest {
  readonly marks: readonly WantedMark[];
  readonly keyId: string;
  /** The request, for the audit log. */
  readonly by?: Actor;
  /** Where the marks stand in the body; left out for a single one, whose path names it. */
  readonly list?: Loc;
}

/**
 * Marks items or modifier items; what a request leaves out stays as it is, an empty prep_type takes it away. However many marks
 * of a store are asked for, they hold one connection: those that come together share a transaction.
 */
export function createStockMarking(db: Database, mostTreeBytes: number) {
  return createBatches<StoreTenant, MarkRequest, readonly StockMark[]>(
    ({ storeKey }) => storeKey,
    (store) => ({
      choose: chooseBatch,
      run: (requests) =>
        db.forTenant(store).transaction((tx) => markAll(tx, store.storeKey, requests, mostTreeBytes)),
    }),
  );
}

/** Chooses requests in order, up to the limit of marks. The first is always chosen, whatever its size. */
function chooseBatch(waiting: readonly MarkRequest[]): boolean[] {
  let marks = 0;
  return waiting.map((request, i) => {
    marks += request.marks.length;
    return i === 0 || marks <= BATCH_SIZES.stock;
  });
}

/** The state that the requests of one transaction share; each sees the changes of the ones before it. */
interface Ledger {
  readonly listed: ReadonlyMap<string, ListedEntity>;
  readonly marks: Map<number, KeptMark>;
  readonly changed: Set<number>;
  readonly events: NewEvent[];
  readonly audited: Change[];
  readonly mostTreeBytes: number;
  longestPrepType: number;
}

/** Requests one after the other; one that is refused leaves the others alone. */
export async function markAll(
  tx: Transaction,
  storeKey: number,
  requests: readonly MarkRequest[],
  mostTreeBytes: number,
): Promise<(readonly StockMark[] | Error)[]> {
  const { version, stockRevision } = await lockMenu(tx, storeKey);
  const { longestPrepType } = await readStockMarks(tx, storeKey);
  const entities = await findListed(
    tx,
    storeKey,
    version,
    requests.flatMap(({ marks }) => marks),
  );
  const ids = entities.map(({ id }) => id);
  const ledger: Ledger = {
    listed: new Map(entities.map((entity) => [nameOf(entity), entity])),
    marks: await lockMarks(tx, storeKey, ids),
    changed: new Set(),
    events: [],
    audited: [],
    mostTreeBytes,
    longestPrepType,
  };
  const at = new Date().toISOString();
  const answers = requests.map((request) => {
    const { keyId, by } = request;
    return decide(request, ledger, { keyId, at, via: viaOf(by) });
  });
  const written = [...ledger.changed].map((id) => [id, ledger.marks.get(id) ?? {}] as const);
  await putMarks(tx, storeKey, written);
  for (const change of ledger.audited) await audit(tx, 'stock.marked', { ...change, storeKey });
  if (ledger.events.length > 0) {
    await setStockRevision(tx, storeKey, nextRevision(stockRevision));
    await appendEvents(tx, storeKey, ledger.events);
  }
  return answers;
}

function nameOf({ kind, externalId }: { readonly kind: Kind; readonly externalId: string }): string {
  return `${kind} ${externalId}`;
}

/** Decides on a copy, which takes the place of the ledger's own once every mark of the request stands. */
function decide(request: MarkRequest, ledger: Ledger, act: Act): StockMark[] | Error {
  const draft: Ledger = { ...ledger, marks: new Map(ledger.marks), changed: new Set(), events: [] };
  try {
    const marks = applyAll(request, draft, act);
    ledger.audited.push(changeOf(request, ledger, draft));
    for (const id of draft.changed) {
      ledger.marks.set(id, draft.marks.get(id) ?? {});
      ledger.changed.add(id);
    }
    ledger.events.push(...draft.events);
    ledger.longestPrepType = draft.longestPrepType;
    return marks;
  } catch (error) {
    // Any other error comes from the database and ends the transaction with all its changes.
    if (error instanceof NotFound || error instanceof ValidationFailed) return error;
    throw error;
  }
}

/** What a request has changed, item by item, for the audit log. */
function changeOf({ marks, keyId, by }: MarkRequest, before: Ledger, after: Ledger): Change {
  const shown = ({ marks: kept, listed }: Ledger) => {
    const states = marks.flatMap((wanted) => {
      const entity = listed.get(nameOf(wanted));
      if (entity === undefined) return [];
      const { prepType, left, until, ...mark } = kept.get(entity.id) ?? {};
      const inStock = isInStock(mark, entity.isStatedOut ? false : undefined);
      return [[wanted.externalId, { in_stock: inStock, left, until, prep_type: prepType }] as const];
    });
    return marks.length === 1 ? states[0]?.[1] : Object.fromEntries(states);
  };
  const subject = marks.map(({ externalId }) => externalId).join(', ');
  return {
    keyId,
    by,
    subject: subject.slice(0, LONGEST_SUBJECT),
    before: shown(before),
    after: shown(after),
  };
}

function applyAll({ marks, list }: MarkRequest, draft: Ledger, act: Act): StockMark[] {
  const errors = new ErrorList();
  const made = marks.flatMap((wanted, i) => {
    const entity = draft.listed.get(nameOf(wanted));
    const loc = list === undefined ? ['body'] : [...list, i];
    if (entity !== undefined) return [applyMark(entity, wanted, { draft, loc, act })];
    if (list === undefined) throw new NotFound(wanted.kind === 'item' ? 'Item' : 'Modifier item');
    const msg = `No item has the external_id '${shownExternalId(wanted.externalId)}'`;
    errors.add({ loc: [...loc, 'external_id'], msg, type: 'unknown_item' });
    return [];
  });
  errors.throwIfAny();
  return made;
}

function applyMark(
  entity: ListedEntity,
  { kind, externalId, mark }: WantedMark,
  { draft, loc, act }: { readonly draft: Ledger; readonly loc: Loc; readonly act: Act },
): StockMark {
  const before = draft.marks.get(entity.id) ?? {};
  const after = changeMark(before, mark);
  const { prepType, left, until } = after;
  const stated = entity.isStatedOut ? false : undefined;
  const inStock = isInStock(after, stated);
  const isChanged = prepType !== before.prepType || left !== before.left || until !== before.until;
  if (isChanged || after.inStock !== before.inStock) {
    refuseLongPrepType(entity, prepType, draft, loc);
    draft.marks.set(entity.id, after);
    draft.changed.add(entity.id);
  }
  // A mark may say what holds without it: it outlives the next publication, but nothing has changed.
  if (isChanged || inStock !== isInStock(before, stated))
    draft.events.push(stockChanged({ kind, externalId }, { inStock, left, until }, act));
  return {
    id: entity.id,
    external_id: externalId,
    in_stock: inStock,
    ...(until === undefined ? {} : { until }),
    ...(left === undefined ? {} : { left }),
    ...(prepType === undefined ? {} : { prep_type: prepType }),
  };
}

/** A prep_type is written wherever its item is nested, so it too can make the tree too large. */
function refuseLongPrepType(
  entity: ListedEntity,
  prepType: string | undefined,
  draft: Ledger,
  loc: Loc,
): void {
  if (prepType === undefined) return;
  const bytes = Buffer.byteLength(JSON.stringify(prepType));
  if (bytes <= draft.longestPrepType) return;
  const limit = { mostBytes: draft.mostTreeBytes, longestPrepType: bytes };
  refuseLargeTree(entity, { ...limit, loc: [...loc, 'prep_type'] });
  draft.longestPrepType = bytes;
}
