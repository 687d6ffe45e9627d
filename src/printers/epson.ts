import { HttpRefusal } from '../http/errors.js';
import type { Response } from '../http/response.js';
import { copiesOf, mayPrint, type ProtocolTools } from './cloudprnt.js';
import { drawLines, MOST_DRAWN, type Picture } from './draw.js';
import { isPrintable } from './encode.js';
import type { PaperLine } from './paper.js';
import type { FoundPrinter } from './printers.sql.js';
import type { PrinterState } from './shapes.js';

/** Long enough for three copies of a long order, in milliseconds. */
const PRINT_MS = 60_000;
/** What a printer calls itself; others that print through it have names of their own. */
const DEVICE = 'local_printer';

/** Epson Server Direct Print: the printer posts forms; the answer to GetRequest is the job, and SetResponse what came of it. */
export function epson({ queue, justAsked, note }: ProtocolTools) {
  return async (found: FoundPrinter, body: string): Promise<Response> => {
    const form = new URLSearchParams(body);
    const device = (form.get('ID') ?? '').slice(0, 100);
    switch (form.get('ConnectionType')) {
      case 'GetRequest': {
        await note(found, { ...found.printer, hasFailed: found.printer.trouble === 'error' });
        if (!mayPrint(found, justAsked)) return xml('');
        const fetched = await queue.fetch(found, { device, type: 'epos' });
        if (fetched === undefined) return xml('');
        const { settings } = found.printer;
        return xml(await requestOf(fetched.job.token, copiesOf(fetched.rows, settings), settings.columns));
      }
      case 'SetResponse': {
        const tags = readTags(form.get('ResponseFile') ?? '');
        const token = tags.find(({ name }) => name === 'printjobid')?.text;
        const response = tags.find(({ name }) => name === 'response')?.attributes;
        if (response?.get('success') === 'true') {
          await queue.confirm(found, token);
          justAsked.delete(found.printer.id);
        }
        // A printer that may not print, or cannot read the job, says only that.
        const isRefused = tags.some(({ attributes }) => attributes.get('Success') === 'false');
        if (response === undefined && !isRefused)
          throw new HttpRefusal(400, 'The response file has no response');
        await note(found, response === undefined ? UNREACHABLE : stateOf(response));
        return xml('');
      }
      case 'SetStatus': {
        // One printer may ask for several: the job is for the one named here.
        const all = readTags(form.get('Status') ?? '').filter(({ attributes }) =>
          attributes.has('asbstatus'),
        );
        const own = all.find(({ attributes }) => attributes.get('devicename') === DEVICE) ?? all[0];
        if (own !== undefined) await note(found, stateOf(own.attributes));
        return xml('');
      }
      default:
        throw new HttpRefusal(400, 'ConnectionType is GetRequest, SetResponse or SetStatus');
    }
  };
}

function xml(body: string): Response {
  return {
    status: 200,
    headers: ['content-type', 'text/xml; charset=utf-8', 'cache-control', 'no-store'],
    body,
  };
}

async function requestOf(
  token: string,
  copies: readonly (readonly PaperLine[])[],
  columns: number,
): Promise<string> {
  const printed = ['<text lang="en"/>'];
  let left = MOST_DRAWN;
  for (const lines of copies) {
    for (const line of lines) {
      const isDrawn = left > 0 && !isPrintable(line.text);
      if (isDrawn) left -= 1;
      printed.push(isDrawn ? imageOf(await drawLines([line], columns)) : lineOf(line));
    }
    printed.push('<cut type="feed"/>');
  }
  return (
    '<?xml version="1.0" encoding="utf-8"?><PrintRequestInfo Version="2.00"><ePOSPrint><Parameter>' +
    `<devid>${DEVICE}</devid><timeout>${PRINT_MS}</timeout><printjobid>${token}</printjobid></Parameter><PrintData>` +
    `<epos-print xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print">${printed.join('')}</epos-print>` +
    '</PrintData></ePOSPrint></PrintRequestInfo>'
  );
}

function imageOf({ width, height, bytes }: Picture): string {
  return `<image width="${width}" height="${height}" color="color_1" mode="mono">${bytes.toString('base64')}</image>`;
}

function lineOf({ text, isLarge, isBold }: PaperLine): string {
  const size = isLarge ? 2 : 1;
  return `<text width="${size}" height="${size}" em="${isBold}">${escaped(text)}&#10;</text>`;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function escaped(text: string): string {
  return text.replace(/[&<>"\ufffe\uffff]/g, (sign) => {
    const name = Object.keys(ENTITIES).find((one) => ENTITIES[one] === sign);
    return name === undefined ? '' : `&${name};`;
  });
}

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** What follows it, up to the next tag. */
  readonly text: string;
}

const TAG = /<([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*"[^"<]*")*)\s*\/?>([^<]*)/g;

/** The tags of a small document, in order. Nothing is expanded: a document that declares anything is refused. */
function readTags(text: string): Tag[] {
  if (text.includes('<!')) throw new HttpRefusal(400, 'The XML must not declare or comment anything');
  return [...text.matchAll(TAG)].map(([, name = '', attributes = '', content = '']) => ({
    name: name.replace(/^.*:/, ''),
    attributes: new Map(
      [...attributes.matchAll(/([\w.:-]+)\s*=\s*"([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    ),
    text: content.trim().replace(/&(\w+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole),
  }));
}

/** Bits of the printer's automatic status. */
const NO_ANSWER = 0x1;
const OFFLINE = 0x8;
const COVER_OPEN = 0x20;
const FAILURES = 0x400 | 0x800 | 0x2000 | 0x4000;
const NEAR_END = 0x20000;
const PAPER_END = 0x80000;

const UNREACHABLE: PrinterState = { paper: 'unknown', cover: 'unknown', hasFailed: true };

function stateOf(attributes: ReadonlyMap<string, string>): PrinterState {
  const code = attributes.get('code') ?? '';
  const bits = Number(attributes.get('asbstatus') ?? attributes.get('status') ?? Number.NaN);
  if (code === 'EPTR_REC_EMPTY') return { paper: 'out', cover: 'closed', hasFailed: false };
  if (code === 'EPTR_COVER_OPEN') return { paper: 'ok', cover: 'open', hasFailed: false };
  if (Number.isNaN(bits)) return { paper: 'unknown', cover: 'unknown', hasFailed: code !== '' };
  const has = (bit: number) => (bits & bit) !== 0;
  if (has(NO_ANSWER)) return UNREACHABLE;
  const paper = has(PAPER_END) ? 'out' : has(NEAR_END) ? 'low' : 'ok';
  const cover = has(COVER_OPEN) ? 'open' : 'closed';
  const hasFailed = code !== '' || has(FAILURES) || (has(OFFLINE) && paper !== 'out' && cover !== 'open');
  return { paper, cover, hasFailed };
}
