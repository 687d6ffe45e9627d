import { workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import type { Limits } from '../../support/limits.js';
import { diffConfigurations, EMPTY_CONFIGURATION } from '../versions/diff.js';
import type { ZonedMoment } from '../../calendar/open-hours.js';
import { parseNumbers } from '../kinds.js';
import type { KeptMark } from '../stock/marks.js';
import type { MenuSource, PreparedMenu } from '../publish/prepared-menu.js';
import type { MenuConfiguration } from '../shapes.js';
import type { SoldOut } from '../publish/warnings.js';
import { priceRows, type PriceRow } from '../price-list.js';
import { availableFragments, flatText, guestFragments } from './menu-forms.js';
import { measure, rootOf, valueAt, type Fragments, assemble } from './fragments.js';
import { serveJobs } from '../../support/thread-pool.js';
import type { KeptField } from '../rollouts/keep.js';
import { compilePrepare, type RequestedPublication } from '../publish/prepare.js';
import { treeFragments, type ParsedMenu } from './tree.js';

/** Whole bytes, or the shared fragments of what is too large to be held as a whole. */
export type Rendered =
  { readonly bytes: Uint8Array } | { readonly fragments: Fragments; readonly length: number };

export interface JobSettings {
  readonly limits: Limits;
  /** Trees up to this size are handed over whole. */
  readonly wholeBytes: number;
}

interface ChangeRequest {
  /** What is current; undefined or empty before the first publication. */
  readonly content: Uint8Array | undefined;
  readonly body: Uint8Array;
  readonly soldOut: SoldOut;
}

export interface RetargetRequest {
  readonly content: Uint8Array;
  /** What the store has now; empty before the first publication. */
  readonly current: Uint8Array;
  readonly keep: readonly KeptField[];
}

export type MenuJobs = ReturnType<typeof compileJobs>;

serveJobs(compileJobs(workerData as JobSettings));

/** Everything that takes time with the size of a menu, for a thread that serves no requests. */
function compileJobs({ limits, wholeBytes }: JobSettings) {
  const prepare = compilePrepare(limits);
  const finish = (fragments: Fragments): Rendered => {
    const length = valueAt(measure(fragments).bytes, rootOf(fragments));
    return length <= wholeBytes ? { bytes: assemble(fragments) } : { fragments, length };
  };
  return {
    prepare: ({ body, soldOut }: { body: Uint8Array; soldOut: SoldOut }): PreparedMenu =>
      prepare.posted(body, soldOut),
    change: ({ content, body, soldOut }: ChangeRequest): { preparedMenu: PreparedMenu; diff: Uint8Array } => {
      const { preparedMenu, diff } = prepare.changed(unpackContent(content), body, soldOut);
      return { preparedMenu, diff: Buffer.from(JSON.stringify(diff)) };
    },
    publicationRequest: (body: Uint8Array): RequestedPublication => prepare.requested(body),
    retarget: ({ content, current, keep }: RetargetRequest) =>
      prepare.retargeted(unpackContent(content), unpackContent(current), keep),
    tree: (source: MenuSource): Rendered => finish(treeFragments(parseSource(source))),
    flat: (source: MenuSource): Rendered => ({ bytes: Buffer.from(flatText(parseSource(source))) }),
    diff: ({ before, after }: { before: Uint8Array | undefined; after: Uint8Array }): Uint8Array =>
      Buffer.from(JSON.stringify(diffConfigurations(unpackContent(before), unpackContent(after)))),
    prices: ({ content, idsText }: Pick<MenuSource, 'content' | 'idsText'>): Uint8Array[] =>
      sliceRows(priceRows(unpackContent(content), parseNumbers(idsText))),
    available: (input: MenuSource & ZonedMoment): Rendered =>
      finish(availableFragments(parseSource(input), input)),
    guest: (input: MenuSource & ZonedMoment): Rendered => finish(guestFragments(parseSource(input), input)),
  };
}

function parseSource({ content, idsText, marksText }: MenuSource): ParsedMenu {
  const rows = JSON.parse(marksText) as readonly [
    id: number,
    inStock: boolean | null,
    prepType: string | null,
  ][];
  return {
    configuration: unpackContent(content),
    ids: parseNumbers(idsText),
    marks: new Map(rows.map(([id, inStock, prepType]) => [id, toMark(inStock, prepType)])),
  };
}

function toMark(inStock: boolean | null, prepType: string | null): KeptMark {
  return { ...(inStock === null ? {} : { inStock }), ...(prepType === null ? {} : { prepType }) };
}

function unpackContent(content: Uint8Array | undefined): MenuConfiguration {
  if (content === undefined || content.length === 0) return EMPTY_CONFIGURATION;
  return JSON.parse(gunzipSync(content).toString()) as MenuConfiguration;
}

/** A slice is loaded within a few milliseconds, and other requests go on between two of them. */
const SLICE_CHARS = 64 * 1024;

/** Rows as JSON lists of about the same size. */
function sliceRows(rows: Iterable<PriceRow>): Uint8Array[] {
  const slices: Uint8Array[] = [];
  let texts: string[] = [];
  let chars = 0;
  const cut = () => {
    slices.push(Buffer.from(`[${texts.join()}]`));
    texts = [];
    chars = 0;
  };
  for (const row of rows) {
    const text = JSON.stringify(row);
    texts.push(text);
    chars += text.length;
    if (chars >= SLICE_CHARS) cut();
  }
  cut();
  return slices;
}
