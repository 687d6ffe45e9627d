import { readStations } from '../menus/stock/stock.sql.js';
import { orderIdOf } from '../events/event.js';
import { readEventSlice } from '../events/events.sql.js';
import type { Menus } from '../menus/rendering/menus.js';
import { readManagedOrders } from '../orders/read.sql.js';
import type { TicketRow } from '../orders/ticket.js';
import type { Database, Queryable } from '../postgres/database.js';
import { judgeEvent, type Judged, type PrintedEvent, type PrintedOrder } from './judge.js';
import {
  getPrinter,
  updatePrinter,
  type FoundPrinter,
  type OpenJob,
  type StoredPrinter,
} from './printers.sql.js';
import { insertPrinted, PRINTED_EVENTS, readPrinted } from './tickets.sql.js';
import { makeLateSlip, makeTestPrint, makeTicket, type TicketContext } from './ticket.js';

/** What a printer is to print next. */
interface Job {
  readonly token: string;
  readonly reaches?: number | undefined;
  /** Up to here events put nothing on paper, whatever becomes of their orders: that is another event. */
  readonly passed?: number | undefined;
  readonly orders: OpenJob['orders'];
  readonly rows: (isRepeat: boolean) => TicketRow[];
}

/** Who fetches a job, and as what. */
interface Fetch {
  readonly device: string;
  readonly type: string;
  /** The job that it was offered, if it says which. */
  readonly token?: string | undefined;
}

export type PrintQueue = ReturnType<typeof createPrintQueue>;

/** How long a fetched job belongs to its device alone: two printers with the same address do not both print it. */
const LEASE_MS = 30_000;
const NEVER = '9999';
const LATE_MS = 2 * 3_600_000;
const EVENTS_AT_ONCE = 50;
const MOST_ON_SLIP = 500;
const MOST_REFUSED = 10;
/** Of events, to see what is not printed yet. */
const MOST_PAGES = 40;

export function createPrintQueue(db: Database, menus: Pick<Menus, 'prices'>) {
  /** Works on the printer as it is now, and nobody else does meanwhile; undefined if it is gone. */
  const locked = <T>(
    { store, printer }: FoundPrinter,
    work: (tx: Queryable, now: StoredPrinter) => Promise<T>,
  ): Promise<T | undefined> =>
    db.forTenant(store).transaction(async (tx) => {
      const now = await getPrinter(tx, store.storeKey, printer.id, true);
      return now && work(tx, now);
    });

  /** Ends what has nothing to print any more; then, what is to be printed next. */
  const drop = async (found: FoundPrinter, token: string): Promise<Job | undefined> => {
    const left = await locked(found, (tx, { id, job, extras }) =>
      updatePrinter(tx, found.store.storeKey, id, {
        job: job?.token === token ? null : job,
        extras: extras.filter((extra) => extra.id !== token),
      }),
    );
    return left && next({ ...found, printer: left });
  };

  const next = async (found: FoundPrinter): Promise<Job | undefined> => {
    const { printer, store } = found;
    const own = db.forTenant(store);
    const { job, extras } = printer;
    // What is fetched comes first: overtaken, it would be printed again without a mark.
    const [extra] = job === null ? extras : extras.filter(({ id }) => job.token === id);
    if (extra === undefined && job === null && printer.sequence >= found.last) return undefined;
    const { prepTypes } = await readStations(own, store.storeKey);
    const makeContext = async (): Promise<TicketContext> => {
      const { list } = await menus.prices.read(store, store.menu);
      return { store, settings: printer.settings, list, prepTypes };
    };
    if (extra !== undefined) {
      if (extra.order_id === undefined) {
        const context = await makeContext();
        return { token: extra.id, orders: [], rows: () => makeTestPrint(context) };
      }
      const text = (await readManagedOrders(own, store.storeKey, [extra.order_id])).get(extra.order_id);
      if (text !== undefined) {
        const order = JSON.parse(text) as PrintedOrder;
        const context = await makeContext();
        const copy: Judged = { kind: 'copy', order, added: [], removed: [] };
        return { token: extra.id, orders: [], rows: (isRepeat) => makeTicket(context, copy, isRepeat) };
      }
      // The order is gone.
      return drop(found, extra.id);
    }
    const due = await findDue(own, { ...found, prepTypes });
    if (due === undefined) return job === null ? undefined : drop(found, job.token);
    const { late, judged, reaches } = due;
    const context = await makeContext();
    const orders = [...late, ...(judged === undefined ? [] : [judged])].map(({ order, kind }) => ({
      id: order.id,
      revision: order.revision,
      cancelled: kind === 'cancelled',
    }));
    return {
      token: judged === undefined ? `late-${reaches}` : `event-${reaches}`,
      reaches,
      passed: judged && reaches - 1,
      orders,
      rows: (isRepeat) =>
        judged === undefined ? makeLateSlip(context, late, isRepeat) : makeTicket(context, judged, isRepeat),
    };
  };

  /** The next job, if it is the one that was offered. */
  const findOffered = async (found: FoundPrinter, wanted: string | undefined): Promise<Job | undefined> => {
    const job = await next(found);
    return wanted === undefined || wanted === '' || wanted === job?.token ? job : undefined;
  };

  /** The rows that a fetch would get; the job stays as it is. */
  const look = async (found: FoundPrinter, { token }: Fetch) => {
    const job = await findOffered(found, token);
    return job && { rows: job.rows((fetchedBefore(found.printer.job, job)?.fetches ?? 0) > 0) };
  };

  /** The rows of the next job, which is the printer's until it confirms it. */
  const fetch = async (found: FoundPrinter, { device, type, token: wanted }: Fetch) => {
    const job = await findOffered(found, wanted);
    if (job === undefined) return undefined;
    const isRepeat = await locked(found, async (tx, now) => {
      const isOpen =
        job.reaches === undefined
          ? now.extras.some(({ id }) => id === job.token)
          : now.sequence < job.reaches;
      // Somebody else has confirmed it since it was found.
      if (!isOpen) return undefined;
      const before = fetchedBefore(now.job, job);
      if (before !== undefined && before.device !== device && before.until > Date.now()) return undefined;
      const { token, reaches, passed, orders } = job;
      const fetches = (before?.fetches ?? 0) + 1;
      const lease = { device, type, until: Date.now() + LEASE_MS };
      const open = { token, reaches, orders, ...lease, fetches, refused: before?.refused ?? [] };
      await updatePrinter(tx, found.store.storeKey, now.id, { job: open, sequence: passed });
      return fetches > 1;
    });
    return isRepeat === undefined ? undefined : { job, rows: job.rows(isRepeat) };
  };

  const withOpenJob = (
    found: FoundPrinter,
    token: string | undefined,
    work: (tx: Queryable, job: OpenJob, extras: StoredPrinter['extras']) => Promise<unknown>,
  ) =>
    locked(found, async (tx, { job, extras }) => {
      if (job !== null && (token === undefined || token === job.token)) await work(tx, job, extras);
    });

  return {
    next,
    look,
    fetch,
    /** The printer has printed it. Without a token: whatever it has fetched. */
    confirm: (found: FoundPrinter, token: string | undefined) =>
      withOpenJob(found, token, async (tx, job, extras) => {
        const { storeKey } = found.store;
        if (job.orders.length > 0) await insertPrinted(tx, storeKey, found.printer.id, job.orders);
        await updatePrinter(tx, storeKey, found.printer.id, {
          job: null,
          sequence: job.reaches,
          extras: extras.filter(({ id }) => id !== job.token),
        });
      }),
    /** The printer has not printed it, and not been able to in these forms. */
    giveBack: (found: FoundPrinter, by: Omit<Fetch, 'type'>, refused: readonly string[]) =>
      withOpenJob(found, by.token, async (tx, job) => {
        // Of several fetches only the last is known to have printed nothing, however often the printer says so.
        if (job.until === 0 || job.device !== by.device) return;
        const all = [...job.refused, ...refused].slice(-MOST_REFUSED);
        await updatePrinter(tx, found.store.storeKey, found.printer.id, {
          job: { ...job, fetches: job.fetches - 1, until: 0, refused: all },
        });
      }),
  };
}

/** A slip of late orders grows while it waits, and is the same slip. */
function fetchedBefore(open: OpenJob | null, { token }: Job): OpenJob | undefined {
  if (open === null) return undefined;
  const isSame = open.token === token || (open.token.startsWith('late-') && token.startsWith('late-'));
  return isSame ? open : undefined;
}

interface DueContext extends FoundPrinter {
  readonly prepTypes: ReadonlyMap<string, string>;
}

/** The next ticket, or the orders whose tickets waited too long, and the event up to which everything is on it. */
interface Due {
  readonly late: readonly Judged[];
  readonly judged: Judged | undefined;
  readonly reaches: number;
}

/** Moves the cursor past events that put nothing on paper. */
async function findDue(db: Queryable, context: DueContext): Promise<Due | undefined> {
  const { printer, store, last, prepTypes } = context;
  const lateBefore = Date.now() - LATE_MS;
  const late = new Map<string, Judged>();
  let after = printer.sequence;
  let lateReaches = after;
  while (after < last) {
    const page = await readPage(db, context, after);
    for (const entry of page.entries) {
      const { event } = entry;
      const judged = await judgeEvent({ db, storeKey: store.storeKey, printer, prepTypes }, entry);
      if (judged === undefined) continue;
      const isLate = Date.parse(event.at) < lateBefore;
      if (isLate && late.size < MOST_ON_SLIP) {
        late.set(judged.order.id, judged);
        lateReaches = event.sequence;
        continue;
      }
      if (late.size > 0) return { late: [...late.values()], judged: undefined, reaches: lateReaches };
      return { late: [], judged, reaches: event.sequence };
    }
    after = page.reached;
    if (late.size === 0) await updatePrinter(db, store.storeKey, printer.id, { sequence: after });
  }
  return late.size === 0 ? undefined : { late: [...late.values()], judged: undefined, reaches: lateReaches };
}

interface StoredFor {
  readonly printer: StoredPrinter;
  readonly store: Pick<FoundPrinter['store'], 'storeKey'>;
}

/** The orders whose tickets the printer has not confirmed, each with the event that it waits since. */
export async function findUnprinted(
  db: Queryable,
  { printer, store }: StoredFor,
  { after: start, until }: { readonly after: number; readonly until: string },
) {
  const { storeKey } = store;
  const { prepTypes } = await readStations(db, storeKey);
  const unprinted = new Map<string, Judged & { readonly at: string }>();
  let [after, reached] = [Number.NaN, start];
  for (let pages = 0; pages < MOST_PAGES && after !== reached && unprinted.size < MOST_ON_SLIP; pages += 1) {
    after = reached;
    const page = await readPage(db, { printer, store }, after);
    for (const entry of page.entries) {
      const { at, sequence } = entry.event;
      if (at > until) return { unprinted, reached: sequence - 1 };
      const judged = await judgeEvent({ db, storeKey, printer, prepTypes }, entry);
      const id = judged?.order.id ?? '';
      if (judged !== undefined && !unprinted.has(id)) unprinted.set(id, { ...judged, at });
    }
    reached = page.reached;
  }
  return { unprinted, reached };
}

/** How many orders wait for the printer, and since when. */
export async function readBehind(db: Queryable, stored: StoredFor) {
  const { unprinted } = await findUnprinted(db, stored, { after: stored.printer.sequence, until: NEVER });
  const [oldest] = unprinted.values();
  return { behind: unprinted.size, oldestAt: oldest?.at };
}

/** Events with their orders as they are now, as many as fit into memory. */
async function readPage(db: Queryable, { printer, store }: StoredFor, after: number) {
  const { storeKey } = store;
  const slice = await readEventSlice(db, { storeKey, after, limit: EVENTS_AT_ONCE, types: PRINTED_EVENTS });
  const events = slice.events.map((event) => ({ event, id: orderIdOf(event) ?? '' }));
  const ids = [...new Set(events.map(({ id }) => id))];
  const [texts, printed] =
    ids.length === 0
      ? [new Map<string, string | undefined>(), new Map<string, never>()]
      : await Promise.all([readManagedOrders(db, storeKey, ids), readPrinted(db, storeKey, printer.id, ids)]);
  const orders = new Map<string, PrintedOrder>();
  const entries: PrintedEvent[] = [];
  for (const { event, id } of events) {
    const text = texts.get(id);
    // The rest of the page did not fit.
    if (text === undefined && texts.has(id)) return { entries, reached: event.sequence - 1 };
    if (text !== undefined && !orders.has(id)) orders.set(id, JSON.parse(text) as PrintedOrder);
    entries.push({ event, order: orders.get(id), printed: printed.get(id) });
  }
  return { entries, reached: slice.reached };
}
