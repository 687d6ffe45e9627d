import type { Database } from '../db/database.js';
import { readCurrentMenu } from '../db/menu-contents.js';
import type { MenuState } from '../db/menu-versions.js';
import type { Body } from '../domain/body.js';
import type { Coding } from '../domain/coding.js';
import type { Limits } from '../domain/limits.js';
import type { MenuForm, Publication } from '../domain/menu/publication.js';
import { createByteCache } from './byte-cache.js';
import { compress } from './compress.js';
import type { MenuSource, Moment, Rendered } from './jobs.js';
import { startThreads } from './threads.js';
import { streamPieces } from './write-pieces.js';

/** A menu as it is sent, with the state of the store that it shows. */
export interface RenderedMenu {
  readonly state: MenuState;
  readonly body: Body;
  /** When it was made, on the clock of this process. */
  readonly madeAt: number;
}

interface WholeMenu extends RenderedMenu {
  readonly body: Buffer;
}

export interface Menus {
  /** Bytes at least as new as the given state, if they are in memory as a whole. */
  atHand(storeKey: number, wanted: MenuState, form: MenuForm, coding: Coding): WholeMenu | undefined;
  /** Bytes at least as new as the given state, from memory where they are there. */
  read(storeKey: number, wanted: MenuState, form: MenuForm, coding: Coding): Promise<RenderedMenu>;
  /** Bytes of exactly this state, from what has just been published. */
  show(storeKey: number, menu: MenuState & MenuSource, form: MenuForm, coding: Coding): Promise<RenderedMenu>;
  /** The body's bytes are handed over and gone afterwards. Warnings know only of the modifier items sold out that are named. */
  prepare(body: Buffer, soldOut?: readonly string[]): Promise<Publication>;
  diff(before: Uint8Array | undefined, after: Uint8Array): Promise<Buffer>;
  available(storeKey: number, moment: Moment): Promise<Body>;
  cacheBytes(): number;
  close(): Promise<void>;
}

/** Reads never wait behind a large publication: each has threads of its own. */
const READING_THREADS = 1;
const PUBLISHING_THREADS = 1;

/** Trees up to this part of the cache are held as a whole; larger ones are sent from their shared pieces. */
const LARGEST_PART = 1 / 4;

export function createMenus(db: Database, limits: Limits): Menus {
  const largest = limits.menuCacheBytes * LARGEST_PART;
  const settings = { limits, wholeBytes: largest };
  const reading = startThreads(READING_THREADS, settings);
  const publishing = startThreads(PUBLISHING_THREADS, settings);
  const cache = createByteCache<RenderedMenu>(limits.menuCacheBytes);
  const underWay = new Map<string, Promise<RenderedMenu>>();

  const render = async (
    menu: MenuState & MenuSource,
    form: MenuForm,
    coding: Coding,
  ): Promise<RenderedMenu> => {
    const { version, stockRevision, content, ids, marks } = menu;
    const plain = toBody(await reading.run(form, { content, ids, marks }));
    const body = coding === 'identity' ? plain : await compress(plain, coding, largest);
    return { state: { version, stockRevision }, body, madeAt: performance.now() };
  };

  const keep = (key: string, menu: RenderedMenu): RenderedMenu => {
    const kept = cache.get(key);
    if (kept === undefined || !isCurrent(kept, menu.state)) cache.set(key, menu, heldBytes(menu.body));
    return menu;
  };

  /** What several requests miss at the same time is rendered once. */
  const renderOnce = (key: string, storeKey: number, form: MenuForm, coding: Coding) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const rendering = readCurrentMenu(db, storeKey)
      .then((menu) => render(menu, form, coding))
      .then((menu) => keep(key, menu))
      .finally(() => underWay.delete(key));
    underWay.set(key, rendering);
    return rendering;
  };

  const find = (key: string, wanted: MenuState): RenderedMenu | undefined => {
    const kept = cache.get(key);
    return kept !== undefined && isCurrent(kept, wanted) ? kept : undefined;
  };

  return {
    atHand(storeKey, wanted, form, coding) {
      const kept = find(keyOf(storeKey, form, coding), wanted);
      return kept !== undefined && isWhole(kept) ? kept : undefined;
    },
    async read(storeKey, wanted, form, coding) {
      const key = keyOf(storeKey, form, coding);
      const kept = find(key, wanted);
      if (kept !== undefined) return kept;
      // One that was under way may have looked at the database before the wanted state was there; the next has not.
      const first = await renderOnce(key, storeKey, form, coding);
      return isAsNew(first.state, wanted) ? first : renderOnce(key, storeKey, form, coding);
    },
    show: async (storeKey, menu, form, coding) =>
      keep(keyOf(storeKey, form, coding), await render(menu, form, coding)),
    prepare: (body, soldOut = []) => publishing.run('prepare', { body, soldOut }, 'handOver'),
    diff: async (before, after) => asBuffer(await publishing.run('diff', { before, after })),
    available: async (storeKey, moment) => {
      const { content, ids, marks } = await readCurrentMenu(db, storeKey);
      return toBody(await reading.run('available', { content, ids, marks, ...moment }));
    },
    cacheBytes: () => cache.bytes(),
    close: async () => {
      await Promise.all([reading.close(), publishing.close()]);
    },
  };
}

function isWhole(menu: RenderedMenu): menu is WholeMenu {
  return menu.body instanceof Uint8Array;
}

/** Longer than a request ever waits between the look at the store's state and the menu. */
const OVERTAKEN_MS = 15_000;

/**
 * A menu that is ahead of the wanted state was published since that was read. If it is not new, the database has lost
 * what it shows, as after a failover.
 */
function isCurrent({ state, madeAt }: RenderedMenu, wanted: MenuState): boolean {
  if (state.version === wanted.version && state.stockRevision === wanted.stockRevision) return true;
  return isAsNew(state, wanted) && performance.now() - madeAt < OVERTAKEN_MS;
}

/** Version and revision only ever grow. */
function isAsNew(state: MenuState, wanted: MenuState): boolean {
  if (state.version !== wanted.version) return state.version > wanted.version;
  return state.stockRevision >= wanted.stockRevision;
}

function keyOf(storeKey: number, form: MenuForm, coding: Coding): string {
  return `${storeKey} ${form} ${coding}`;
}

function toBody(rendered: Rendered): Body {
  if ('bytes' in rendered) return asBuffer(rendered.bytes);
  const { pieces, length } = rendered;
  const { text, cuts, starts, nested } = pieces;
  return {
    length,
    heldBytes: text.byteLength + cuts.byteLength + starts.byteLength + nested.byteLength,
    chunks: () => streamPieces(pieces),
  };
}

function heldBytes(body: Body): number {
  return body instanceof Uint8Array ? body.length : body.heldBytes;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
