import { t } from '../../../text/t.js';
import { FIELD_LABELS } from '../changes/to-changes.js';
import { toMoney } from '../../../text/format.js';
import type { Conflict } from './draft.js';

/** Both sides of a conflict, as they stand on two buttons. */
export function describeFields(
  { field, mine, theirs, tax }: Conflict,
  currency: string | undefined,
): { readonly label: string; readonly mine: string; readonly theirs: string } {
  if (field === undefined) return { label: '', mine: t('remove_it'), theirs: t('it_stays') };
  const tell = (value: unknown, taxIn?: unknown): string => {
    if (value === null || value === undefined) return t('nothing');
    if (typeof value === 'number')
      return typeof taxIn === 'number' ? toMoney(value + taxIn, currency) : String(value);
    if (typeof value === 'boolean') return value ? t('yes_inline') : t('no');
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return { label: labelOf(field), mine: tell(mine, tax?.mine), theirs: tell(theirs, tax?.theirs) };
}

/** Of a text with its language: `Name (en)`. */
function labelOf(field: string): string {
  const [name = '', language] = field.split(':');
  const label = FIELD_LABELS[name] ?? name;
  return language === undefined ? label : `${label} (${language})`;
}
