import type { Menu } from '../domain/menu/shapes.js';

export type MenuId = 'breakfast' | 'lunch' | 'dinner' | 'late-night' | 'bar';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
const WEEKEND = ['Saturday', 'Sunday'];
const EVERY_DAY = [...WEEKDAYS, ...WEEKEND];

/** When a menu is served, in the store's own time; the late one ends after midnight, the bar never closes. */
export function hoursOf(menu: MenuId): Menu['availability'] {
  switch (menu) {
    case 'breakfast':
      return [...on(WEEKDAYS, '07:00', '11:30'), ...on(WEEKEND, '08:00', '13:00')];
    case 'lunch':
      return on(EVERY_DAY, '12:00', '16:30');
    case 'dinner':
      return on(EVERY_DAY, '19:00', '23:30');
    case 'late-night':
      return on(['Thursday', 'Friday', 'Saturday'], '22:30', '03:00');
    case 'bar':
      return [];
  }
}

function on(days: readonly string[], start: string, end: string): Menu['availability'] {
  return days.map((day) => ({ day_of_week: day, time_periods: [{ start_time: start, end_time: end }] }));
}
