import { workerData } from 'node:worker_threads';
import type { Limits } from '../../support/limits.js';
import type { ZonedMoment } from '../../calendar/open-hours.js';
import { parseNumbers } from '../kinds.js';
import type { KeptMarks } from '../stock/marks.js';
import type { MenuSource, StoreAdditions } from '../publish/prepared-menu.js';
import { packPrices } from '../price-list.js';
import {
  availableFragments,
  flatText,
  guestFragments,
  treeFragments,
  type ParsedMenu,
} from './menu-forms.js';
import { measure, rootOf, valueAt, type Fragments, assemble } from '../tree/fragments.js';
import { stockOfPosted, type PostedStock } from '../tree/stock-texts.js';
import { fillDraft, type TreeDraft } from '../tree/tree.js';
import { serveJobs } from '../../support/thread-pool.js';
import type { PhotoTexts } from '../photos/photo-texts.js';
import { compilePrepare, diffText, unpackContent } from '../publish/prepare.js';

/** Whole bytes, or the shared fragments of what is too large to be held as a whole. */
export type Rendered =
  { readonly bytes: Uint8Array } | { readonly fragments: Fragments; readonly length: number };

export interface JobSettings {
  readonly limits: Limits;
  /** Trees up to this size are handed over whole. */
  readonly wholeBytes: number;
}

/** A tree that has just been published, and what the database adds to it. */
export interface PublishedTree extends StoreAdditions, PostedStock {
  readonly tree: TreeDraft;
}

interface GuestSource extends MenuSource, ZonedMoment {
  readonly photos: PhotoTexts;
  readonly left: ReadonlyMap<number, number>;
}

export type MenuJobs = ReturnType<typeof compileJobs>;

serveJobs(compileJobs(workerData as JobSettings));

/** Everything that takes time with the size of a menu, for a thread that serves no requests. */
function compileJobs({ limits, wholeBytes }: JobSettings) {
  const finish = (fragments: Fragments): Rendered => {
    const length = valueAt(measure(fragments).bytes, rootOf(fragments));
    return length <= wholeBytes ? { bytes: assemble(fragments) } : { fragments, length };
  };
  return {
    ...compilePrepare(limits),
    publishedTree: ({ tree, idsText, marksText, ...posted }: PublishedTree): Rendered => {
      const ids = parseNumbers(idsText);
      return finish(fillDraft(tree, ids, stockOfPosted(posted, ids, parseMarks(marksText))));
    },
    tree: (source: MenuSource): Rendered => finish(treeFragments(parseSource(source))),
    flat: (source: MenuSource): Rendered => ({ bytes: Buffer.from(flatText(parseSource(source))) }),
    diff: ({ before, after }: { before: Uint8Array | undefined; after: Uint8Array }): Uint8Array =>
      diffText(unpackContent(before), unpackContent(after)),
    prices: ({ content, idsText }: Pick<MenuSource, 'content' | 'idsText'>): string =>
      JSON.stringify(packPrices(unpackContent(content), parseNumbers(idsText))),
    available: (input: GuestSource): Rendered =>
      finish(availableFragments({ ...input, ...parseSource(input) }, input)),
    guest: (input: GuestSource): Rendered =>
      finish(guestFragments({ ...input, ...parseSource(input) }, input)),
  };
}

function parseSource({ content, idsText, marksText }: MenuSource): ParsedMenu {
  return {
    configuration: unpackContent(content),
    ids: parseNumbers(idsText),
    marks: parseMarks(marksText),
  };
}

function parseMarks(text: string): KeptMarks {
  const rows = JSON.parse(text) as readonly [id: number, inStock: boolean | null, prepType: string | null][];
  return new Map(
    rows.map(([id, inStock, prepType]) => [
      id,
      { inStock: inStock ?? undefined, prepType: prepType ?? undefined },
    ]),
  );
}
