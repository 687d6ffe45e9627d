import { useSignal } from '@preact/signals';
import type { MenuDiff } from '#sdk';
import { toList } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { KINDS, type Change, type Kind } from './to-changes.js';
import './changes.css';
import { Button } from '../../../ui/button.js';

interface ChangesProps {
  readonly diff: MenuDiff;
  readonly changes: readonly Change[];
  readonly beforeTitle: string;
  readonly afterTitle: string;
}

const KIND_WORDS: Readonly<Record<Kind, string>> = {
  menus: t('menus'),
  categories: t('categories'),
  items: t('items'),
  modifier_groups: t('groups_of_choices'),
  modifier_items: t('choices'),
};

/** What differs between two menus, side by side. */
export function Changes({ diff, changes, beforeTitle, afterTitle }: ChangesProps) {
  return (
    <div class="stack">
      <p>{summarise(changes)}</p>
      {KINDS.map((kind) => {
        const ofKind = changes.filter((change) => change.kind === kind);
        const { reordered } = diff[kind];
        if (ofKind.length === 0 && !reordered) return null;
        return (
          <section key={kind} class="panel stack" aria-label={KIND_WORDS[kind]}>
            <h2>{KIND_WORDS[kind]}</h2>
            {reordered && <p class="soft">{t('they_stand_in_another_order')}</p>}
            <ChangeTable changes={ofKind} beforeTitle={beforeTitle} afterTitle={afterTitle} />
          </section>
        );
      })}
    </div>
  );
}

const MOST_ROWS = 200;

function ChangeTable({ changes, beforeTitle, afterTitle }: Omit<ChangesProps, 'diff'>) {
  const most = useSignal(MOST_ROWS);
  if (changes.length === 0) return null;
  const more = changes.length - most.value;
  return (
    <>
      <table class="table changes">
        <thead>
          <tr>
            <th scope="col">{t('what')}</th>
            <th scope="col">{beforeTitle}</th>
            <th scope="col">{afterTitle}</th>
          </tr>
        </thead>
        {changes.slice(0, most.value).map((change) => (
          <tbody key={`${change.is} ${change.id}`}>
            <tr>
              <th scope="rowgroup" colSpan={3} class="change-name">
                <span class={`badge ${TONES[change.is]}`}>{WORDS[change.is]}</span> <bdi>{change.name}</bdi>{' '}
                <span class="mono soft">{change.id}</span>
              </th>
            </tr>
            {change.fields.map((field) => (
              <tr key={field.label}>
                <td class="soft">{field.label}</td>
                <td class="was">
                  <bdi>{field.before}</bdi>
                </td>
                <td class="is">
                  <bdi>{field.after}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {more > 0 && (
        <Button onClick={() => (most.value += MOST_ROWS)}>{t('show_count_more', { count: more })}</Button>
      )}
    </>
  );
}

const WORDS = { added: t('new_on_the_menu'), removed: t('gone'), changed: t('changed') } as const;
const TONES = { added: 'ready', removed: 'bad', changed: 'kitchen' } as const;

function summarise(changes: readonly Change[]): string {
  const countOf = (is: Change['is']) => changes.filter((change) => change.is === is).length;
  if (changes.length === 0) return t('nothing_but_the_order_differs');
  return t('count_differences_counts', {
    count: changes.length,
    counts: describeCounts({
      added: countOf('added'),
      removed: countOf('removed'),
      changed: countOf('changed'),
    }),
  });
}

/** `1 new, 2 changed`: what there is none of is not said. */
export function describeCounts({
  added = 0,
  removed = 0,
  changed = 0,
}: Partial<Record<Change['is'], number>>): string {
  return toList([
    ...(added > 0 ? [t('count_new', { count: added })] : []),
    ...(removed > 0 ? [t('count_gone', { count: removed })] : []),
    ...(changed > 0 ? [t('count_changed', { count: changed })] : []),
  ]);
}
