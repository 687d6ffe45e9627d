import type { Database } from '../db/database.js';
import { readCurrentMenu, readVersionContent } from '../db/menu-contents.js';
import type { MenuState } from '../db/menu-versions.js';
import type { Body, Coding } from '../domain/answer-body.js';
import type { Limits } from '../domain/limits.js';
import type { ZonedMoment } from '../domain/menu/hours.js';
import type { MenuForm, MenuSource, Publication } from '../domain/menu/publication.js';
import { compress } from './compress.js';
import { startThreads, type MenuAsker, type Rendered } from './thread-pool.js';
import { createByteCache, createMenuCache, type MadeFromMenu } from './menu-cache.js';
import { createPriceLists, type PriceLists } from './price-lists.js';
import { createSharedWork } from './shared-work.js';
import { streamFragments } from './fragments.js';

/** A menu as it is sent, with the state of the store that it shows. */
export interface RenderedMenu extends MadeFromMenu {
  readonly body: Body;
}

export interface Menus {
  /** Bytes at least as new as the given state, if they are in memory. */
  cached(storeKey: number, wanted: MenuState, form: MenuForm, coding: Coding): RenderedMenu | undefined;
  /** Bytes at least as new as the given state, from memory where they are there. */
  read(asker: MenuAsker, wanted: MenuState, form: MenuForm, coding: Coding): Promise<RenderedMenu>;
  /** Bytes of exactly this state, from what has just been published. */
  renderPublished(
    asker: MenuAsker,
    menu: MenuState & MenuSource,
    form: MenuForm,
    coding: Coding,
  ): Promise<RenderedMenu>;
  /** The body's bytes are handed over and gone afterwards. `soldOut` are the modifier items that are marked so. */
  prepare(asker: MenuAsker, body: Buffer, soldOut: readonly string[]): Promise<Publication>;
  diff(asker: MenuAsker, before: Uint8Array | undefined, after: Uint8Array): Promise<Buffer>;
  diffVersions(asker: MenuAsker, from: number, to: number): Promise<Buffer>;
  /** From a menu at least as new as the given state. */
  available(asker: MenuAsker, wanted: MenuState, moment: ZonedMoment): Promise<Body>;
  /** What orders are priced by, kept within the same bounds as what is rendered. */
  readonly prices: PriceLists;
  cacheBytes(): number;
  close(): Promise<void>;
}

/**
 * Reads never wait behind a large publication, nor either of them behind a comparison: each has threads of its own. Of
 * two threads no merchant has more than one, so that another's menu need not wait for the end of a long job.
 */
const THREADS = { reading: 2, publishing: 2, extra: 1 };

/** Trees up to this part of the cache are held as a whole; larger ones are sent from their shared fragments. */
const LARGEST_PART = 1 / 4;

export function createMenus(db: Database, limits: Limits): Menus {
  const wholeBytes = limits.menuCacheBytes * LARGEST_PART;
  const settings = { limits, wholeBytes };
  const reading = startThreads({ size: THREADS.reading, settings });
  const publishing = startThreads({ size: THREADS.publishing, settings, keepsSpare: true });
  const extra = startThreads({ size: THREADS.extra, settings });
  const byteCache = createByteCache<MadeFromMenu>(limits.menuCacheBytes);
  const cache = createMenuCache<RenderedMenu>(byteCache);
  const shareDiff = createSharedWork<Buffer>();
  const shareAvailable = createSharedWork<Body>();

  const render = async (
    asker: MenuAsker,
    menu: MenuState & MenuSource,
    form: MenuForm,
    coding: Coding,
  ): Promise<RenderedMenu> => {
    const { version, stockRevision, content, idsText, marksText } = menu;
    const plain = toBody(await reading.run(form, { content, idsText, marksText }, asker));
    const body = coding === 'identity' ? plain : await compress(plain, coding, wholeBytes);
    return { state: { version, stockRevision }, body, madeAt: performance.now() };
  };

  const keep = (key: string, menu: RenderedMenu) => cache.keep(key, menu, heldBytes(menu.body));

  const diff: Menus['diff'] = async (asker, before, after) =>
    asBuffer(await extra.run('diff', { before, after }, asker));

  return {
    cached: (storeKey, wanted, form, coding) => cache.find(keyOf(storeKey, form, coding), wanted),
    read(asker, wanted, form, coding) {
      const key = keyOf(asker.storeKey, form, coding);
      return cache.read(key, wanted, asker.gone, async (gone) => {
        const menu = await readCurrentMenu(db.of(asker), asker.storeKey);
        return keep(key, await render({ ...asker, gone }, menu, form, coding));
      });
    },
    renderPublished: async (asker, menu, form, coding) =>
      keep(keyOf(asker.storeKey, form, coding), await render(asker, menu, form, coding)),
    prepare: (asker, body, soldOut) => publishing.run('prepare', { body, soldOut }, asker, 'handOver'),
    diff,
    diffVersions: (asker, from, to) =>
      shareDiff(`${asker.storeKey} ${from} ${to}`, asker.gone, async (gone) => {
        const [before, after] = await Promise.all([
          readVersionContent(db.of(asker), asker.storeKey, from),
          readVersionContent(db.of(asker), asker.storeKey, to),
        ]);
        return diff({ ...asker, gone }, before, after);
      }),
    available: (asker, { version, stockRevision }, moment) => {
      const key = [asker.storeKey, version, stockRevision, moment.at, moment.timezone].join(' ');
      return shareAvailable(key, asker.gone, async (gone) => {
        const { content, idsText, marksText } = await readCurrentMenu(db.of(asker), asker.storeKey);
        const input = { content, idsText, marksText, ...moment };
        return toBody(await extra.run('available', input, { ...asker, gone }));
      });
    },
    prices: createPriceLists(db, byteCache, reading),
    cacheBytes: () => byteCache.totalBytes(),
    close: async () => {
      await Promise.all([reading.close(), publishing.close(), extra.close()]);
    },
  };
}

function keyOf(storeKey: number, form: MenuForm, coding: Coding): string {
  return `${storeKey} ${form} ${coding}`;
}

function toBody(rendered: Rendered): Body {
  if ('bytes' in rendered) return asBuffer(rendered.bytes);
  const { fragments, length } = rendered;
  const { text, cuts, starts, nested } = fragments;
  return {
    length,
    heldBytes: text.byteLength + cuts.byteLength + starts.byteLength + nested.byteLength,
    chunks: () => streamFragments(fragments),
  };
}

function heldBytes(body: Body): number {
  return body instanceof Uint8Array ? body.length : body.heldBytes;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
