import type { KindDiff, MenuDiff } from '#sdk';
import { toPlain } from './plain-text.js';
import { paint, type Terminal } from './terminal.js';

const LISTS = ['menus', 'categories', 'items', 'modifier_groups', 'modifier_items'] as const;
const MOST_LINES = 40;

export function isEmptyDiff(diff: MenuDiff): boolean {
  return LISTS.every((list) => sizeOf(diff[list]) === 0 && !diff[list].reordered);
}

/** The differences for people: a heading for each kind, `+`, `-` and `~` lines below it. */
export function describeDiff(terminal: Terminal, diff: MenuDiff): string[] {
  return LISTS.flatMap((list) => {
    const lines = describeKind(terminal, diff[list]);
    if (lines.length === 0) return [];
    const more = lines.length - MOST_LINES;
    const shown = more > 0 ? [...lines.slice(0, MOST_LINES), `  ... and ${more} more`] : lines;
    return [paint(terminal, 'bold', list.replace('_', ' ')), ...shown];
  });
}

function describeKind(terminal: Terminal, diff: KindDiff): string[] {
  return [
    ...diff.added.map((id) => paint(terminal, 'green', `  + ${toPlain(id)}`)),
    ...diff.removed.map((id) => paint(terminal, 'red', `  - ${toPlain(id)}`)),
    ...diff.changed.map(({ external_id: id, fields }) =>
      paint(terminal, 'yellow', `  ~ ${toPlain(id)}: ${toPlain(fields.join(', '))}`),
    ),
    ...(diff.reordered ? ['  in another order'] : []),
  ];
}

/** Such as `12 added, 1 removed, 3 changed`. */
export function summariseDiff(diff: MenuDiff): string {
  const count = (kind: 'added' | 'removed' | 'changed') =>
    LISTS.reduce((sum, list) => sum + diff[list][kind].length, 0);
  return `${count('added')} added, ${count('removed')} removed, ${count('changed')} changed`;
}

function sizeOf({ added, removed, changed }: KindDiff): number {
  return added.length + removed.length + changed.length;
}
