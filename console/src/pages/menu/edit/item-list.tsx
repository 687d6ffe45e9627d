import { fold } from '../../../text/fold.js';
import { t } from '../../../text/t.js';
import { toMoney } from '../../../text/format.js';
import type { Kind } from '../../../../../src/menus/kinds.js';
import type { Entity } from './draft.js';
import type { Opened } from './entity-form.js';
import { AddButton, MoveButtons } from './form-parts.js';
import { idsIn, nameOf } from './names.js';
import type { Draft } from './use-draft.js';
import { Button } from '../../../ui/button.js';

interface ListProps {
  readonly draft: Draft;
  readonly currency: string | undefined;
  readonly language: string;
  readonly search: string;
  readonly onOpen: (opened: Opened) => void;
}

/** The items by category, and those that no category has, which guests do not see. */
export function ItemList(props: ListProps) {
  const { draft, language, onOpen } = props;
  const { category: categories, item: items } = draft.menu;
  const listed = new Set([...categories.values()].flatMap((one) => idsIn(one, 'item_external_ids')));
  const loose = [...items.keys()].filter((id) => !listed.has(id));
  return (
    <>
      {[...categories].map(([id, category]) => {
        const move = (from: number, to: number) => {
          const ids = [...idsIn(category, 'item_external_ids')];
          ids.splice(to, 0, ...ids.splice(from, 1));
          draft.put(['category', category, { ...category, item_external_ids: ids }]);
        };
        const name = nameOf(category, id, language);
        const into = { kind: 'category', id, field: 'item_external_ids' } as const;
        return (
          <section key={id} class="panel stack" aria-label={name}>
            <div class="edit-head">
              <h2>
                <bdi>{name}</bdi>
              </h2>
              <Button
                aria-label={t('edit_the_category_name', { name })}
                onClick={() => onOpen({ kind: 'category', id })}
              >
                {t('edit')}
              </Button>
            </div>
            <Rows {...props} ids={idsIn(category, 'item_external_ids')} move={move} />
            <div class="row">
              <AddButton label={t('add_an_item')} onPress={() => onOpen({ kind: 'item', into })} />
              <AddButton
                label={t('add_a_combo')}
                onPress={() => onOpen({ kind: 'item', into, isCombo: true })}
              />
            </div>
          </section>
        );
      })}
      {loose.length > 0 && (
        <section class="panel stack" aria-label={t('in_no_category')}>
          <h2>{t('in_no_category')}</h2>
          <p class="soft small">{t('guests_do_not_see_these_except')}</p>
          <Rows {...props} ids={loose} />
        </section>
      )}
      <div class="row">
        <AddButton label={t('add_a_category')} onPress={() => onOpen({ kind: 'category' })} />
        <AddButton label={t('add_an_item_to_no_category')} onPress={() => onOpen({ kind: 'item' })} />
      </div>
    </>
  );
}

interface RowsProps extends ListProps {
  readonly ids: readonly string[];
  readonly move?: (from: number, to: number) => void;
}

function Rows({ draft, currency, language, search, onOpen, ids, move }: RowsProps) {
  const wanted = fold(search);
  const rows = ids
    .map((id, index) => ({ id, index, item: draft.menu.item.get(id) }))
    .filter(({ id, item }) => fold(`${nameOf(item, id, language)} ${id}`).includes(wanted));
  return (
    <ul class="rows">
      {rows.map(({ id, index, item }) => {
        const name = nameOf(item, id, language);
        return (
          <li key={`${id} ${index}`} class="edit-row">
            <button type="button" class="edit-open" onClick={() => onOpen({ kind: 'item', id })}>
              <bdi>{name}</bdi>
              <EditedBadge draft={draft} kind="item" id={id} />
              <span class="number">{item !== undefined && toMoney(grossOf(item), currency)}</span>
            </button>
            {move !== undefined && wanted === '' && (
              <span class="row">
                <MoveButtons name={name} index={index} count={ids.length} move={move} />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Whether something is other than what is published. */
export function EditedBadge({
  draft,
  kind,
  id,
}: {
  readonly draft: Draft;
  readonly kind: Kind;
  readonly id: string;
}) {
  const edit = draft.edits.find((one) => one.kind === kind && one.external_id === id);
  if (edit === undefined) return null;
  return <span class="badge kitchen">{edit.before === null ? t('new_on_the_menu') : t('edited')}</span>;
}

function grossOf(item: Entity): number {
  return (item['price'] as number) + (item['tax'] as number);
}
