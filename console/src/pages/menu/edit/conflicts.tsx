import { t } from '../../../text/t.js';
import { describeFields } from './conflict-words.js';
import { nameOf } from './names.js';
import type { Draft } from './use-draft.js';

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
          return (
            <li key={`${edit.kind} ${edit.external_id} ${field ?? ''}`} class="conflict">
              <span>
                <bdi>{nameOf(entity, edit.external_id)}</bdi>
                {words.label !== '' && <span class="soft">, {words.label}</span>}
              </span>
              {isGone ? (
                <>
                  <span>{t('someone_else_has_removed_it')}</span>
                  <button type="button" class="button" onClick={() => draft.settle(conflict, 'theirs')}>
                    {t('drop_my_change')}
                  </button>
                </>
              ) : (
                <>
                  <button type="button" class="button" onClick={() => draft.settle(conflict, 'mine')}>
                    {t('keep_mine_value', { value: words.mine })}
                  </button>
                  <button type="button" class="button" onClick={() => draft.settle(conflict, 'theirs')}>
                    {t('take_theirs_value', { value: words.theirs })}
                  </button>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
