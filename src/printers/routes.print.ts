import { LRUCache } from 'lru-cache';
import { Type } from '../support/shape/type.js';
import { createUseNotes, type DelayRefusal } from '../access/authentication.js';
import { refuseMoving } from '../access/moving.js';
import type { Menus } from '../menus/rendering/menus.js';
import { compileReadBody, hasNoBody } from '../http/body.js';
import type { PipelineDeps } from '../http/pipeline.js';
import type { MatchedRequest, Responder } from '../http/router.js';
import type { Database } from '../postgres/database.js';
import { DatabaseUnavailable, NotFound } from '../support/errors.js';
import { cloudPrnt } from './cloudprnt.js';
import { epson } from './epson.js';
import { createPrinterLookup, notePolls, type FoundPrinter } from './printers.sql.js';
import { createPrintQueue } from './queue.js';
import type { PrinterState } from './shapes.js';
import { noteState } from './state.js';

export interface PrintContext extends Pick<PipelineDeps, 'db' | 'readiness' | 'limits' | 'tooLate'> {
  /** The pool of key lookups, which never waits for other work. */
  readonly keyChecks: Database;
  readonly menus: Pick<Menus, 'prices'>;
  readonly delayRefusal: DelayRefusal;
}

const POLL_EVERY_MS = 1_000;
/** Polls of many printers share a lookup, which costs more than all else they need. */
const POLLS_GATHER_MS = 50;
const MOST_REMEMBERED = 10_000;

/** A status is a few hundred bytes. Printers name its type as they like. */
const STATUS = {
  kind: 'file',
  schema: Type.Unknown(),
  example: {},
  contentTypes: [],
  maxBytes: 8 * 1024,
} as const;

/** What printers ask, without a key: the code in the address opens the tickets of one printer. */
export function printResponders({
  db,
  keyChecks,
  menus,
  delayRefusal,
  readiness,
  limits,
  tooLate,
}: PrintContext): Responder[] {
  const readFile = compileReadBody(STATUS, limits, tooLate, 'ignored');
  const readStatus = async ({ request, response }: MatchedRequest): Promise<string> =>
    hasNoBody(request) ? '' : ((await readFile(request, response)) as { bytes: Buffer }).bytes.toString();
  const lookUp = createPrinterLookup(keyChecks);
  const lookUpPoll = createPrinterLookup(keyChecks, POLLS_GATHER_MS);
  const queue = createPrintQueue(db, menus);
  /** Who asks again within a second gets nothing, unless it has printed something in between. */
  const justAsked = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: POLL_EVERY_MS });
  const notePoll = createUseNotes((codes) => notePolls(db, codes));
  const note = ({ store, printer }: FoundPrinter, state: PrinterState) =>
    noteState(db.forTenant(store), store, printer, state, notePoll);
  const tools = { queue, justAsked, note };
  const [star, directPrint] = [cloudPrnt(tools), epson(tools)];

  const find = async ({ request, params }: MatchedRequest): Promise<FoundPrinter> => {
    if (!readiness.isReady) throw new DatabaseUnavailable();
    const code = params['code'] ?? '';
    const found = await (request.method === 'POST' ? lookUpPoll : lookUp)(code);
    if (found === undefined) return delayRefusal(request, new NotFound('Printer'));
    // Whatever a printer asks is kept.
    refuseMoving(found.store.moving, true);
    return found;
  };
  const findStar = async (matched: MatchedRequest) => {
    const found = await find(matched);
    if (found.printer.settings.protocol === 'epson') throw new NotFound('Printer');
    return found;
  };
  const path = '/print/:code';
  return [
    {
      method: 'POST',
      path,
      respond: async (matched) => {
        const found = await find(matched);
        const body = await readStatus(matched);
        return found.printer.settings.protocol === 'epson'
          ? directPrint(found, body)
          : star.poll(found, body);
      },
    },
    {
      method: 'GET',
      path,
      respond: async (matched) =>
        star.getJob(await findStar(matched), matched.search, matched.request.method === 'HEAD'),
    },
    {
      method: 'DELETE',
      path,
      respond: async (matched) => star.endJob(await findStar(matched), matched.search),
    },
  ];
}
