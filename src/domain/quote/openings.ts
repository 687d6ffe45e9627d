import { isWithin, localTime, weekSecond, type ZonedMoment } from '../menu/hours.js';
import { nextOpening } from '../menu/next-opening.js';
import type { PriceList } from './price-list.js';

export interface Openings {
  /** Whether one of the menus is open; where there are none, nothing is closed. */
  isOpen(menus: readonly number[]): boolean;
  /** When one of them opens next. */
  next(menus: readonly number[]): number | undefined;
}

export const ALWAYS_OPEN: Openings = { isOpen: () => true, next: () => undefined };

/** Looks at each menu once, however many lines ask for it. */
export function openingsAt(list: PriceList, { at, timezone }: ZonedMoment): Openings {
  const second = weekSecond(localTime(new Date(at), timezone));
  const open = new Map<number, boolean>();
  const found = new Map<string, number | undefined>();

  const isMenuOpen = (menu: number) => {
    const known = open.get(menu) ?? isWithin(list.hoursOf(menu), second);
    open.set(menu, known);
    return known;
  };
  return {
    isOpen: (menus) => menus.length === 0 || menus.some(isMenuOpen),
    next(menus) {
      const key = menus.join();
      if (!found.has(key))
        found.set(
          key,
          nextOpening(
            menus.map((menu) => list.hoursOf(menu)),
            at,
            timezone,
          ),
        );
      return found.get(key);
    },
  };
}
