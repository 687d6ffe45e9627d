import type { Transaction } from '../../postgres/database.js';
import { audit } from '../../audit/audit.sql.js';
import { appendEvents } from '../../events/events.sql.js';
import { findListed, type ListedEntity } from '../publish/entities.sql.js';
import { lockMarks, putMarks, readStockMarks, setStockRevision } from './stock.sql.js';
import { lockMenu } from '../versions/versions.sql.js';
import { NotFound } from '../../support/errors.js';
import { viaOf } from '../../support/actor.js';
import type { NewEvent } from '../../events/event.js';
import { stockChanged } from '../events.js';
import { ErrorList, shownExternalId, type Loc } from '../../support/error-details.js';
import type { Kind, StockedKind } from '../kinds.js';
import { changeMark, isInStock, nextRevision, type StockChange, type KeptMark } from './marks.js';
import { refuseLargeTree } from '../tree/size.js';

const LONGEST_SUBJECT = 300;

interface WantedMark {
  readonly kind: StockedKind;
  readonly externalId: string;
  readonly mark: StockChange;
}

/** Marks that are made together or not at all. */
interface MarkRequest {
  readonly marks: readonly WantedMark[];
  readonly keyId: string;
  readonly mostTreeBytes: number;
  /** Where the marks stand in the body; left out for a single one, whose path names it. */
  readonly list?: Loc;
}

/** Marks items or modifier items; what a request leaves out stays as it is, null takes it away. */
export async function markStock(
  tx: Transaction,
  storeKey: number,
  { marks, keyId, mostTreeBytes, list }: MarkRequest,
) {
  const { version, stockRevision } = await lockMenu(tx, storeKey);
  const { longestPrepType } = await readStockMarks(tx, storeKey);
  const entities = await findListed(tx, storeKey, version, marks);
  const listed = new Map(entities.map((entity) => [nameOf(entity), entity]));
  const kept = await lockMarks(
    tx,
    storeKey,
    [...listed.values()].map(({ id }) => id),
  );
  const changed = new Map<number, KeptMark>();
  const events: NewEvent[] = [];
  const errors = new ErrorList();
  const act = { keyId, at: new Date().toISOString(), via: viaOf(tx.by) };
  const made = marks.flatMap((wanted, i) => {
    const loc = list === undefined ? ['body'] : [...list, i];
    const entity = listed.get(nameOf(wanted));
    if (entity === undefined) {
      if (list === undefined) throw new NotFound(wanted.kind === 'item' ? 'Item' : 'Modifier item');
      const msg = `No item has the external_id '${shownExternalId(wanted.externalId)}'`;
      errors.add({ loc: [...loc, 'external_id'], msg, type: 'unknown_item' });
      return [];
    }
    const before = changed.get(entity.id) ?? kept.get(entity.id) ?? {};
    const after = changeMark(before, wanted.mark);
    const { prepType, left, until } = after;
    const inStock = isEntityInStock(entity, after);
    const isChanged = prepType !== before.prepType || left !== before.left || until !== before.until;
    if (isChanged || after.inStock !== before.inStock) {
      refuseLongPrepType(entity, prepType, { mostBytes: mostTreeBytes, longestPrepType, loc });
      changed.set(entity.id, after);
    }
    // A mark may say what holds without it: it outlives the next publication, but nothing has changed.
    if (isChanged || inStock !== isEntityInStock(entity, before))
      events.push(stockChanged(wanted, { inStock, left, until }, act));
    return [{ id: entity.id, external_id: wanted.externalId, ...shown(entity, after) }];
  });
  errors.throwIfAny();
  await putMarks(tx, storeKey, changed);
  const tell = (stated: ReadonlyMap<number, KeptMark>) => {
    const states = [...listed.values()].map(
      (entity) => [entity.externalId, shown(entity, stated.get(entity.id) ?? {})] as const,
    );
    return marks.length === 1 ? states[0]?.[1] : Object.fromEntries(states);
  };
  const subject = marks.map(({ externalId }) => externalId).join(', ');
  await audit(tx, 'stock.marked', {
    storeKey,
    keyId,
    subject: subject.slice(0, LONGEST_SUBJECT),
    before: tell(kept),
    after: tell(new Map([...kept, ...changed])),
  });
  if (events.length > 0) {
    await setStockRevision(tx, storeKey, nextRevision(stockRevision));
    await appendEvents(tx, storeKey, events);
  }
  return made;
}

function nameOf({ kind, externalId }: { readonly kind: Kind; readonly externalId: string }): string {
  return `${kind} ${externalId}`;
}

function isEntityInStock({ isStatedOut }: ListedEntity, mark: KeptMark): boolean {
  return isInStock(mark, isStatedOut ? false : undefined);
}

function shown(entity: ListedEntity, mark: KeptMark) {
  const { until, left, prepType } = mark;
  return { in_stock: isEntityInStock(entity, mark), until, left, prep_type: prepType };
}

/** A prep_type is written wherever its item is nested, so it too can make the tree too large. */
function refuseLongPrepType(
  entity: ListedEntity,
  prepType: string | undefined,
  { mostBytes, longestPrepType, loc }: Required<Parameters<typeof refuseLargeTree>[1]>,
): void {
  const bytes = prepType === undefined ? 0 : Buffer.byteLength(JSON.stringify(prepType));
  if (bytes > longestPrepType)
    refuseLargeTree(entity, { mostBytes, longestPrepType: bytes, loc: [...loc, 'prep_type'] });
}
