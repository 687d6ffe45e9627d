import type { NewEvent } from '../events/event.js';
import type { readStations } from '../menus/stock/stock.sql.js';
import { ASK_AGAIN } from '../postgres/batch.js';
import type { Actor } from '../support/actor.js';
import { Conflict, NotFound } from '../support/errors.js';
import { amendOrder, isAmendment } from './amend.js';
import type { MenuNow } from './amend-lines.js';
import { arrivalOf, attentionAt, type AttentionSettings } from './attention/attention-clock.js';
import type { ChangeableOrder, FieldChange, OrderEvent, OrderStep } from './change.sql.js';
import { orderChanged } from './events.js';
import { factsText, parseFacts } from './facts.js';
import { managedOrderJson, type OrderState, type ShownManagedOrder } from './json.sql.js';
import { linesBeyond, readLines, type Line } from './lines.js';
import { addPayment, type NewPayment } from './payments.js';
import type { OrderPatch } from './request-shapes.js';
import { isFinal, isGivenUp, mayMove, type OrderStatus } from './status.js';

export interface WantedChange {
  readonly orderId: string;
  readonly patch: OrderPatch;
  /** null for what the service does by the clock. */
  readonly keyId: string | null;
  /** The label of the key. */
  readonly label?: string | undefined;
  readonly via?: 'mcp' | undefined;
  /** A payment to record. */
  readonly payment?: NewPayment | undefined;
  /** The request, for the audit log of payments. */
  readonly by?: Actor;
  /** Only an order with this status is changed, or one that is already as wanted. */
  readonly from?: OrderStatus;
}

/** The JSON text of the order as the ask leaves it, or why it does not. */
export type Outcome = string | Error | typeof ASK_AGAIN;

interface Draft {
  readonly before: ShownManagedOrder;
  readonly store: string;
  readonly raised: readonly string[];
  readonly steps: OrderStep[];
  state: OrderState;
}

/** Applies the asks in their order to the orders as they were read. */
export function decideChanges(
  read: ReadonlyMap<string, ChangeableOrder | undefined>,
  asks: readonly WantedChange[],
  settings: AttentionSettings & KitchenSettings,
  menu?: MenuNow,
) {
  const drafts = new Map<string, Draft>();
  for (const [id, found] of read)
    if (found !== undefined)
      drafts.set(id, {
        ...found,
        before: found.order,
        state: { ...found.order, lineTotals: found.lineTotals },
        steps: [],
      });
  const events: OrderEvent[] = [];
  const paid: WantedChange[] = [];
  const outcomes = asks.map((ask): Outcome => {
    const draft = drafts.get(ask.orderId);
    if (draft === undefined) return read.has(ask.orderId) ? ASK_AGAIN : new NotFound('Order');
    try {
      const event = applyStep(draft, withStations(draft.state, ask, settings), menu);
      if (event === undefined) return shownDraft(draft);
      events.push({ orderId: ask.orderId, event });
      if (ask.payment !== undefined) paid.push(ask);
      if (ask.patch.status === 'ACCEPTED' && isMade(draft.state, settings)) {
        const ready = applyStep(draft, { ...ask, patch: { status: 'READY' }, payment: undefined }, menu);
        if (ready !== undefined) events.push({ orderId: ask.orderId, event: ready });
      }
      return shownDraft(draft);
    } catch (error) {
      return error as Error;
    }
  });
  const changes = [...drafts.entries()]
    .filter(([, { steps }]) => steps.length > 0)
    .map(([id, draft]) => {
      const watched = { ...draft.state, arrivedMs: arrivalOf(id) };
      return { ...draft, attentionAt: attentionAt(watched, settings, draft.raised) };
    });
  return { outcomes, changes, events, paid };
}

export interface KitchenSettings {
  readonly stations?: Awaited<ReturnType<typeof readStations>> | undefined;
}

function movesStations({ items, stations_done: done }: OrderPatch): boolean {
  return items !== undefined || done !== undefined;
}

/** Whether it matters which station makes what: stations may be done before the order is accepted. */
export function needsStations(patch: OrderPatch, facts: string | undefined): boolean {
  return movesStations(patch) || (patch.status === 'ACCEPTED' && facts?.includes('"stations_done"') === true);
}

type Stations = NonNullable<KitchenSettings['stations']>;

function stationsOf(lines: readonly Line[], { prepTypes }: Stations): string[] {
  return lines.flatMap(({ externalId = '' }) => prepTypes.get(externalId) ?? []);
}

/** Where the store wants it, an accepted order is READY once every station that makes something of it is done. */
function isMade({ status, items, facts }: OrderState, { stations }: KitchenSettings): boolean {
  if (stations?.readyWhenDone !== true || status !== 'ACCEPTED') return false;
  const done = parseFacts(facts).stations_done ?? [];
  const needed = stationsOf(readLines(JSON.parse(items) as unknown[]), stations);
  return needed.length > 0 && needed.every((station) => done.includes(station));
}

/** A station that gets more to make is not done any more. */
function withStations(state: OrderState, ask: WantedChange, settings: KitchenSettings): WantedChange {
  const { patch } = ask;
  const { stations } = settings;
  if (stations === undefined || !movesStations(patch)) return ask;
  const former = parseFacts(state.facts);
  const before = readLines(JSON.parse(state.items) as unknown[]);
  const lines = patch.items === undefined ? before : readLines(patch.items);
  const more = stationsOf(linesBeyond(lines, before), stations);
  const still = (former.stations_done ?? []).filter((station) => !more.includes(station));
  const { stations_done: stated = still } = patch;
  const done = stated ?? [];
  const items = patch.items === undefined ? state.items : JSON.stringify(patch.items);
  const next = { ...state, items, facts: factsText({ ...former, stations_done: done }) };
  return {
    ...ask,
    patch: { ...(isMade(next, settings) && { status: 'READY' }), ...patch, stations_done: done },
  };
}

function shownDraft({ before, state, steps, store }: Draft): string {
  const { revision, at: updatedAt } = steps.at(-1) ?? { revision: before.revision, at: before.updatedAt };
  return managedOrderJson({ ...before, ...state, revision, updatedAt }, store);
}

/** Answers the event of the change; undefined when everything asked for is so already. */
function applyStep(draft: Draft, wanted: WantedChange, menu: MenuNow | undefined): NewEvent | undefined {
  const { before, steps, state: previous } = draft;
  const { patch, keyId, from, via } = wanted;
  const current = before.revision + steps.length;
  const expected = patch.expected_revision ?? current;
  if (expected !== current) throw new Conflict(`The order has revision ${current}, not ${expected}`);
  const at = new Date().toISOString();
  const to = patch.status ?? previous.status;
  if (from !== undefined && previous.status !== from && previous.status !== to)
    throw refuseMove(previous.status, to);
  const { state, fields } = applyPatch(previous, wanted, at, menu);
  if (fields.length === 0) return undefined;
  const revision = current + 1;
  steps.push({ revision, at, keyId, via, fields });
  draft.state = state;
  return orderChanged(
    { ...before, ...state, revision },
    {
      previousStatus: previous.status,
      changed: fields.map(({ field }) => field),
      difference: differenceOf(previous, state),
    },
    { keyId, at, via },
  );
}

function differenceOf(before: OrderState, after: OrderState) {
  const difference = { price: after.price - before.price, tax: after.tax - before.tax };
  return difference.price === 0 && difference.tax === 0 && before.items === after.items
    ? undefined
    : difference;
}

function refuseMove(from: OrderStatus, to: OrderStatus): Conflict {
  return new Conflict(`An order that is ${from} cannot become ${to}`);
}

/** Applies a patch; no fields changed means that everything asked for is so already. */
function applyPatch(
  former: OrderState,
  { patch, payment, label }: WantedChange,
  at: string,
  menu: MenuNow | undefined,
): { readonly state: OrderState; readonly fields: readonly FieldChange[] } {
  const unchanged = { state: former, fields: [] };
  const { state, fields: amended } = isAmendment(patch) ? amendOrder(former, patch, menu, label) : unchanged;
  const paid = payment === undefined ? { state, fields: [] } : addPayment(state, payment, at);
  const to = patch.status ?? state.status;
  const isMoved = to !== state.status;
  const isExplained = patch.reason !== undefined || patch.reason_text !== undefined;
  // What explained an earlier change does not explain this one.
  const isNewWhy = (isMoved && isGivenUp(to)) || (isExplained && (isMoved || amended.length > 0));
  const why = isNewWhy
    ? { reason: patch.reason ?? null, text: patch.reason_text ?? null }
    : { reason: patch.reason, text: patch.reason_text };
  const fields = [...changedFields(state, patch, why), ...amended, ...paid.fields];
  const { customer_comments: comments } = patch;
  if (isMoved && !mayMove(state.status, to)) throw refuseMove(state.status, to);
  return {
    fields,
    state: {
      ...paid.state,
      status: to,
      isRead: patch.is_read ?? state.isRead,
      inPos: patch.in_pos ?? state.inPos,
      readyBy: patch.ready_by ?? state.readyBy,
      completedAt: isMoved && isFinal(to) ? at : state.completedAt,
      customerComments: comments === undefined ? state.customerComments : (comments ?? undefined),
      reason: why.reason === undefined ? state.reason : (why.reason ?? undefined),
      reasonText: why.text === undefined ? state.reasonText : (why.text ?? undefined),
    },
  };
}

interface Why {
  readonly reason: OrderPatch['reason'] | null;
  readonly text: OrderPatch['reason_text'] | null;
}

function changedFields(state: OrderState, patch: OrderPatch, why: Why): FieldChange[] {
  const asked = [
    { field: 'status', from: state.status, to: patch.status },
    { field: 'is_read', from: state.isRead, to: patch.is_read },
    { field: 'in_pos', from: state.inPos, to: patch.in_pos },
    { field: 'ready_by', from: state.readyBy, to: patch.ready_by },
    { field: 'customer_comments', from: state.customerComments, to: patch.customer_comments },
    { field: 'reason', from: state.reason, to: why.reason },
    { field: 'reason_text', from: state.reasonText, to: why.text },
  ] as const;
  return asked.flatMap(({ field, from, to }) =>
    to === undefined || (to ?? undefined) === from ? [] : [{ field, from, to: to ?? undefined }],
  );
}
