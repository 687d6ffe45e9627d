import { toList, toMoney } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { nameOf } from './names.js';
import type { Draft } from './use-draft.js';
import { Button } from '../../../ui/button.js';
import { FIELD_LABELS } from '../changes/to-changes.js';
import type { Conflict } from './draft.js';

interface ConflictsProps {
  readonly draft: Draft;
  readonly currency: string | undefined;
}

/** What two people want differently. Everything else of the draft stands on what the other has published. */
export function Conflicts({ draft, currency }: ConflictsProps) {
  const { conflicts } = draft;
  if (conflicts.length === 0) return null;
  return (
    <section class="panel stack" aria-label={t('changed_by_someone_else')} role="alert">
      <h2>{t('changed_by_someone_else_meanwhile')}</h2>
      <ul class="rows">
        {conflicts.map((conflict) => {
          const { edit, field } = conflict;
          const isGone = field === undefined && conflict.theirs === null;
          const entity =
            draft.menu[edit.kind].get(edit.external_id) ??
            draft.published.menu[edit.kind].get(edit.external_id);
          const words = describeFields(conflict, currency);
          const name = nameOf(entity, edit.external_id);
          const settle = (keeps: 'mine' | 'theirs', action: string) => (
            <Button
              aria-label={t('action_name', {
                action,
                name: toList([name, words.label].filter((part) => part !== '')),
              })}
              onClick={() => draft.settle(conflict, keeps)}
            >
              {action}
            </Button>
          );
          return (
            <li key={`${edit.kind} ${edit.external_id} ${field ?? ''}`} class="conflict">
              <span>
                <bdi>{name}</bdi>
                {words.label !== '' && <span class="soft">, {words.label}</span>}
              </span>
              {isGone ? (
                <>
                  <span>{t('someone_else_has_removed_it')}</span>
                  {settle('theirs', t('drop_my_change'))}
                </>
              ) : (
                <>
                  {settle('mine', t('keep_mine_value', { value: words.mine }))}
                  {settle('theirs', t('take_theirs_value', { value: words.theirs }))}
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Both sides of a conflict, as they stand on two buttons. */
function describeFields(
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
