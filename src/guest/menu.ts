import { createHash } from 'node:crypto';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import {
  jsonBytes,
  matchesEtag,
  negotiateCoding,
  notModified,
  tagHeaders,
  type Response,
} from '../http/response.js';
import type { RouteRequest } from '../http/route.js';
import { openAt, type ZonedMoment } from '../calendar/open-hours.js';
import type { PricedMenu, PriceList } from '../menus/price-list.js';
import type { Menus } from '../menus/rendering/menus.js';
import type { MenuState } from '../menus/versions/versions.sql.js';
import type { StorePace } from '../pace/settings.js';

type MenuRequest = Pick<RouteRequest, 'db' | 'request'> & {
  readonly store: RequestedStore;
  /** When the order is to be ready. */
  readonly at: number | undefined;
};

/** The menu as guests read it. Its bytes depend on the menu, its stock, of what few are left and which menus are open, and the tag names these. */
export async function respondWithMenu(
  menus: Menus,
  storePace: StorePace,
  { db, store, request, at }: MenuRequest,
): Promise<Response> {
  const { headers } = request;
  const coding = negotiateCoding(headers['accept-encoding']);
  const moment = {
    at: at ?? (await storePace.readyFrom(db, store)),
    timezone: store.timezone ?? 'UTC',
    moved: await storePace.movedDaysOf(db, store),
  };
  let wanted: MenuState = store.menu;
  for (;;) {
    const { list, state } = await menus.prices.withCounts(store, await menus.prices.read(store, wanted));
    const openMenus = openMenusOf(list, moment);
    const left = fewLeft(list);
    const counts = left.size === 0 ? '' : `.${hashOf([...left])}`;
    const tagOf = ({ version, stockRevision }: MenuState) =>
      `"${version}.${stockRevision}.${openMenus}${counts}.${moment.timezone}.${coding}.${store.storeKey}"`;
    const caching = (tag: string) => [...tagHeaders(tag), 'vary', 'Accept-Encoding'];
    const tag = tagOf(state);
    if (matchesEtag(headers['if-none-match'], tag)) return notModified(caching(tag));
    const menu = await menus.guest(store, state, { ...moment, openMenus, left }, coding);
    // Another version has other hours: which of its menus are open was not looked at.
    if (menu.state.version === state.version) return jsonBytes(menu.body, coding, caching(tagOf(menu.state)));
    wanted = menu.state;
  }
}

/** From here down guests are told. */
const FEW = 5;

function fewLeft({ counts }: PriceList): ReadonlyMap<number, number> {
  return new Map([...counts].filter(([, left]) => left > 0 && left <= FEW).toSorted(([a], [b]) => a - b));
}

const hashOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 12);

/** A bit for each menu. */
function openMenusOf({ hours }: PricedMenu, moment: ZonedMoment): string {
  const isOpen = openAt(moment);
  const bits = hours.map((each) => (isOpen(each) ? '1' : '0')).join('');
  return BigInt(`0b${bits || '0'}`).toString(32);
}
