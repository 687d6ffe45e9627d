import type { FaultList, Loc } from '../faults.js';
import { reportValueError } from '../shape/check.js';
import { parseTime } from './hours.js';
import { memberOf, type RawLists } from './kinds.js';

/**
 * Rules between two fields. They look at the lists as they came, so that a fault in one field hides nothing about the
 * others, and stay silent where one of the two is faulty itself.
 */
export function checkRules(lists: RawLists, faults: FaultList): void {
  lists.modifier_group?.forEach((group, at) => {
    const [least, most] = [countIn(group, 'group_min'), countIn(group, 'group_max')];
    if (most !== 0 && exceeds(least, most))
      refuse(
        faults,
        ['modifier_groups', at, 'group_max'],
        'group_max should be 0 or at least group_min',
        most,
      );
  });
  lists.modifier_item?.forEach((modifier, at) => {
    const most = countIn(modifier, 'max_quantity');
    const usual = countIn(modifier, 'default_quantity');
    if (exceeds(countIn(modifier, 'min_quantity'), most))
      refuse(
        faults,
        ['modifier_items', at, 'max_quantity'],
        'max_quantity should be at least min_quantity',
        most,
      );
    if (exceeds(usual, most))
      refuse(
        faults,
        ['modifier_items', at, 'default_quantity'],
        'default_quantity should be at most max_quantity',
        usual,
      );
  });
  lists.menu?.forEach((menu, at) => {
    checkHours(memberOf(menu, 'availability'), ['menus', at, 'availability'], faults);
  });
}

function checkHours(availability: unknown, loc: Loc, faults: FaultList): void {
  elementsOf(availability).forEach((day, at) => {
    elementsOf(memberOf(day, 'time_periods')).forEach((period, position) => {
      const end = memberOf(period, 'end_time');
      const second = secondOf(end);
      if (second !== undefined && second === secondOf(memberOf(period, 'start_time')))
        refuse(
          faults,
          [...loc, at, 'time_periods', position, 'end_time'],
          'end_time should differ from start_time',
          end,
        );
    });
  });
}

function refuse(faults: FaultList, loc: Loc, reason: string, value: unknown): void {
  reportValueError({ path: ['body', ...loc], faults }, reason, value);
}

function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function countIn(entity: unknown, field: string): number | undefined {
  const value = memberOf(entity, field);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function exceeds(value: number | undefined, most: number | undefined): boolean {
  return value !== undefined && most !== undefined && value > most;
}

function secondOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseTime(value) : undefined;
}
