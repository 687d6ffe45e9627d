import { THREADS } from '../../support/bounds.js';
import type { Database } from '../../postgres/database.js';
import { readCurrentMenu, readVersionContent } from '../versions/contents.sql.js';
import type { MenuState } from '../versions/versions.sql.js';
import type { Body, Coding } from '../../http/content-coding.js';
import type { Limits } from '../../support/limits.js';
import type { ZonedMoment } from '../../calendar/open-hours.js';
import type { MenuForm } from '../publish/prepared-menu.js';
import { compress } from './compress.js';
import { createMenuBytes, createMenuCache, type MadeFromMenu, type MenuTenant } from './menu-cache.js';
import { createPhotos } from '../photos/photo-texts.js';
import { createPriceLists } from './price-lists.js';
import { streamFragments } from '../tree/fragments.js';
import type { JobSettings, MenuJobs, PublishedTree, Rendered } from './thread-jobs.js';
import { readCounts } from '../stock/stock.sql.js';
import { startThreads } from '../../support/thread-pool.js';

/** A menu as it is sent, with the state of the store that it shows. */
export interface RenderedMenu extends MadeFromMenu {
  readonly body: Body;
}

export type Menus = ReturnType<typeof createMenus>;

/** From sources, as the tests run it, threads take the built file: a thread of Node 20 cannot read TypeScript. */
export const MENU_JOBS = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/menus/rendering/thread-jobs.js' : './thread-jobs.js',
  import.meta.url,
);

/** Trees up to this part of the cache are held as a whole; larger ones are sent from their shared fragments. */
const LARGEST_PART = 1 / 4;

export function createMenus(db: Database, limits: Limits) {
  const wholeBytes = limits.menuCacheBytes * LARGEST_PART;
  const common = { script: MENU_JOBS, workerData: { limits, wholeBytes } satisfies JobSettings };
  const reading = startThreads<MenuJobs>({ ...common, size: THREADS.reading });
  const publishing = startThreads<MenuJobs>({ ...common, size: THREADS.publishing });
  const extra = startThreads<MenuJobs>({ ...common, size: THREADS.other });
  const menuBytes = createMenuBytes(limits.menuCacheBytes);
  const cache = createMenuCache<RenderedMenu>(menuBytes);
  const readPhotos = createPhotos(db, menuBytes);

  const finish = async ({ version, stockRevision }: MenuState, rendered: Rendered, coding: Coding) => {
    const plain = toBody(rendered);
    const body = coding === 'identity' ? plain : await compress(plain, coding, wholeBytes);
    return { state: { version, stockRevision }, body, madeAt: performance.now() };
  };
  const keep = (key: string, menu: RenderedMenu) => cache.keep(key, menu, heldBytes(menu.body));
  const readCurrent = (tenant: MenuTenant) => readCurrentMenu(db.forTenant(tenant), tenant.storeKey);

  return {
    /** Bytes at least as new as the given state, from memory where they are there. */
    read(tenant: MenuTenant, wanted: MenuState, form: MenuForm, coding: Coding) {
      const key = keyOf(tenant.storeKey, form, coding);
      return cache.read(key, wanted, async () => {
        const { version, stockRevision, ...source } = await readCurrent(tenant);
        const rendered = await reading.run(form, source, tenant);
        return keep(key, await finish({ version, stockRevision }, rendered, coding));
      });
    },
    /** Runs a job of prepare.ts. */
    onPublishingThread: publishing.run,
    /** The tree of what has just been published in this state. Its draft is handed over. */
    async publishedTree(tenant: MenuTenant, state: MenuState, published: PublishedTree, coding: Coding) {
      const rendered = await reading.run('publishedTree', published, tenant, 'handOver');
      return keep(keyOf(tenant.storeKey, 'tree', coding), await finish(state, rendered, coding));
    },
    async diffVersions(tenant: MenuTenant, from: number, to: number) {
      const [before, after] = await Promise.all([
        readVersionContent(db.forTenant(tenant), tenant.storeKey, from),
        readVersionContent(db.forTenant(tenant), tenant.storeKey, to),
      ]);
      return asBuffer(await extra.run('diff', { before, after }, tenant));
    },
    async available(tenant: MenuTenant, moment: ZonedMoment) {
      const { content, idsText, marksText, ...state } = await readCurrent(tenant);
      const photos = await readPhotos(tenant, state);
      const left = await readCounts(db.forTenant(tenant), tenant.storeKey);
      const input = { content, idsText, marksText, ...moment, photos, left };
      return toBody(await extra.run('available', input, tenant));
    },
    /**
     * The menu for guests, at least as new as the given state. `openMenus` names the menus that are open at that moment, and
     * `left` says of what few are left, so the cached bytes serve until these change.
     */
    guest(tenant: MenuTenant, wanted: MenuState, { openMenus, ...moment }: GuestMoment, coding: Coding) {
      const counts = JSON.stringify([...moment.left]);
      const key = `${tenant.storeKey} guest ${moment.timezone} ${openMenus} ${counts} ${coding}`;
      return cache.read(key, wanted, async () => {
        const { version, stockRevision, ...source } = await readCurrent(tenant);
        const texts = await readPhotos(tenant, { version, stockRevision });
        const input = { ...source, ...moment, photos: texts };
        const rendered = await reading.run('guest', input, tenant);
        return keep(key, await finish({ version, stockRevision }, rendered, coding));
      });
    },
    /** The prices of orders; they share the cache's limit with rendered menus. */
    prices: createPriceLists(db, menuBytes, reading),
    readPhotos,
    cacheBytes: () => menuBytes.calculatedSize,
    close: async () => {
      await Promise.all([reading.close(), publishing.close(), extra.close()]);
    },
  };
}

interface GuestMoment extends ZonedMoment {
  readonly openMenus: string;
  readonly left: ReadonlyMap<number, number>;
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
