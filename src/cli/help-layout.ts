import type { HelpConfiguration } from 'commander';
import { wrapTo } from './text-width.js';

const ROOMY_COLUMNS = 72;
const INDENT = '      ';

/** A description stands beside its flag; in a narrow terminal, below it. */
export function helpLayout(columns: number): HelpConfiguration {
  if (columns >= ROOMY_COLUMNS) return { showGlobalOptions: true };
  const width = columns - INDENT.length;
  return {
    showGlobalOptions: true,
    minWidthToWrap: 20,
    formatItem: (term, _termWidth, description) =>
      [`  ${term}`, ...wrapTo(description, width).map((line) => INDENT + line)].join('\n'),
  };
}
