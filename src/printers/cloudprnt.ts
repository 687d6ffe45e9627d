import type { LRUCache } from 'lru-cache';
import { HttpRefusal } from '../http/errors.js';
import { json, type Response } from '../http/response.js';
import type { TicketRow } from '../orders/ticket.js';
import { NotFound } from '../support/errors.js';
import { encodeTicket, isPrintable } from './encode.js';
import { drawLines, MOST_DRAWN, toPng } from './draw.js';
import { toPaper } from './paper.js';
import type { FoundPrinter } from './printers.sql.js';
import type { PrintQueue } from './queue.js';
import type { PrinterSettings, PrinterState } from './shapes.js';

/** What the protocols share. */
export interface ProtocolTools {
  readonly queue: PrintQueue;
  readonly justAsked: LRUCache<string, true>;
  readonly note: (found: FoundPrinter, state: PrinterState) => Promise<void>;
}

/** Star's printers take either set of commands by its name; text they print with their own fonts. */
const STAR_TYPES = ['application/vnd.star.line', 'application/vnd.star.starprnt', 'text/plain'];
const PICTURE_TYPE = 'image/png';
/** What `comanda printers bridge` passes on to a network printer. */
const BRIDGE_TYPE = 'application/vnd.comanda.escpos';

/** Star CloudPRNT: the printer posts its status, gets the job that is ready, and deletes it once it is printed. */
export function cloudPrnt({ queue, justAsked, note }: ProtocolTools) {
  const typesFor = ({ printer }: FoundPrinter, rows: readonly TicketRow[]) => {
    if (printer.settings.protocol === 'bridge') return [BRIDGE_TYPE];
    const mayDraw = copiesOf(rows, printer.settings).flat().length <= MOST_DRAWN;
    const isPlain = !mayDraw || rows.every(({ text }) => isPrintable(text));
    // A printer takes what it likes best of what it is offered, so what loses letters comes only after the rest.
    const picture = mayDraw ? [PICTURE_TYPE] : [];
    const turns = isPlain ? [STAR_TYPES, picture] : [picture, ['text/plain'], STAR_TYPES];
    const isLeft = (type: string) => printer.job?.refused.includes(type) !== true;
    const left = turns.map((types) => types.filter(isLeft)).find((types) => types.length > 0);
    return left ?? turns.flat();
  };

  return {
    async poll(found: FoundPrinter, body: string): Promise<Response> {
      const status = readStatus(body);
      const { job: open } = found.printer;
      const mayHaveJob = mayPrint(found, justAsked);
      const hasFailed = status.state.hasFailed || (open !== null && open.refused.length > STAR_TYPES.length);
      await note(found, { ...status.state, hasFailed });
      if (!mayHaveJob || status.isPrinting) return json({ jobReady: false });
      if (open !== null && open.device !== status.device && open.until > Date.now())
        return json({ jobReady: false });
      const job = await queue.next(found);
      if (job === undefined) return json({ jobReady: false });
      return json({ jobReady: true, mediaTypes: typesFor(found, job.rows(false)), jobToken: job.token });
    },

    /** `isHead`: nothing is fetched, so nothing changes. */
    async getJob(found: FoundPrinter, search: string, isHead: boolean): Promise<Response> {
      const query = new URLSearchParams(search);
      const { settings } = found.printer;
      const known = settings.protocol === 'bridge' ? [BRIDGE_TYPE] : [...STAR_TYPES, PICTURE_TYPE];
      const type = query.get('type') ?? known[0] ?? '';
      if (!known.includes(type)) throw new HttpRefusal(415, `Tickets come as ${known.join(', ')}`);
      const asked = { ...namedIn(query), type };
      const fetched = isHead ? await queue.look(found, asked) : await queue.fetch(found, asked);
      if (fetched === undefined) throw new NotFound('Job');
      return {
        status: 200,
        headers: ['content-type', type === 'text/plain' ? 'text/plain; charset=utf-8' : type, ...NOT_KEPT],
        body: await renderRows(fetched.rows, settings, type),
      };
    },

    async endJob(found: FoundPrinter, search: string): Promise<Response> {
      const query = new URLSearchParams(search);
      const code = query.get('code') ?? '';
      const named = namedIn(query);
      if (/^(2|OK)/.test(code)) {
        await queue.confirm(found, named.token);
        justAsked.delete(found.printer.id);
      } else if (code.startsWith('520')) {
        // It did not get all of it.
        await queue.giveBack(found, named, ['']);
      } else if (code.startsWith('5')) {
        // It cannot read the job in this form or, before it has fetched one, in any that it was offered.
        const { job } = found.printer;
        const isFetched = job !== null && job.until > 0;
        const unread = isFetched ? undefined : await queue.fetch(found, { ...named, type: '' });
        await queue.giveBack(
          found,
          named,
          isFetched ? [job.type] : unread ? typesFor(found, unread.rows) : [],
        );
      } else await note(found, stateOf(code));
      return json({});
    },
  };
}

function namedIn(query: URLSearchParams) {
  return { device: query.get('mac') ?? '', token: query.get('token') ?? undefined };
}

/** Whether a printer that asks may get something. */
export function mayPrint({ printer, last }: FoundPrinter, justAsked: LRUCache<string, true>): boolean {
  const isTooSoon = justAsked.has(printer.id);
  if (!isTooSoon) justAsked.set(printer.id, true);
  return !isTooSoon && (printer.extras.length > 0 || printer.sequence < last);
}

const NOT_KEPT = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'];

async function renderRows(
  rows: readonly TicketRow[],
  settings: PrinterSettings,
  type: string,
): Promise<Uint8Array | string> {
  const copies = copiesOf(rows, settings);
  if (type === 'text/plain')
    return `${copies.map((lines) => lines.map(({ text }) => `${text}\n`).join('')).join('\n\n')}\n\n\n`;
  if (type !== PICTURE_TYPE)
    return encodeTicket(copies, type === BRIDGE_TYPE ? 'escpos' : 'star', settings.columns);
  if (copies.flat().length > MOST_DRAWN) throw new HttpRefusal(415, 'The ticket is too long for a picture');
  const lines = copies.flatMap((copy) => [...copy, BLANK, BLANK]);
  return toPng(await drawLines(lines, settings.columns));
}

const BLANK = { text: '', isLarge: false, isBold: false };

/** Each copy says which it is: nobody cooks it twice. */
export function copiesOf(rows: readonly TicketRow[], { copies, columns }: PrinterSettings) {
  return Array.from({ length: copies }, (_, i) =>
    toPaper(copies === 1 ? rows : [...rows, { style: 'strong', text: `${i + 1}/${copies}` }], columns),
  );
}

function readStatus(body: string) {
  let status: unknown;
  try {
    status = JSON.parse(body);
  } catch {
    throw new HttpRefusal(400, 'The status is no JSON');
  }
  if (typeof status !== 'object' || status === null)
    throw new HttpRefusal(400, 'The status is no JSON object');
  const { printerMAC: device, statusCode, printingInProgress } = status as Record<string, unknown>;
  return {
    device: typeof device === 'string' ? device.slice(0, 100) : '',
    isPrinting: printingInProgress === true,
    state: stateOf(typeof statusCode === 'string' ? statusCode : ''),
  };
}

/** Star's codes, of which more digits tell more: 2 fine, 21 paper low, 4 trouble, 410 paper out, 42 cover open. */
function stateOf(code: string): PrinterState {
  if (!/^\d/.test(code)) return { paper: 'unknown', cover: 'unknown', hasFailed: false };
  const paper = code.startsWith('410') ? 'out' : code.startsWith('21') ? 'low' : 'ok';
  const cover = code.startsWith('42') ? 'open' : 'closed';
  return { paper, cover, hasFailed: code.startsWith('4') && paper !== 'out' && cover === 'closed' };
}
