import type { Availability } from '#sdk';
import { t } from '../../../text/t.js';
import { toPriceChange } from '../../../text/format.js';
import { describeHours } from '../../../text/hours.js';
import type { Kind } from '../../../../../src/menus/kinds.js';
import type { Entity } from './draft.js';
import type { Opened } from './entity-form.js';
import { AddButton } from './form-parts.js';
import { EditedBadge } from './item-list.js';
import { idsIn, nameOf } from './names.js';
import type { Draft } from './use-draft.js';
import { Button } from '../../../ui/button.js';

interface ListProps {
  readonly draft: Draft;
  readonly currency: string | undefined;
  readonly language: string;
  readonly onOpen: (opened: Opened) => void;
}

/** Groups of choices, each with its choices, and the choices that no group has. */
export function ChoiceList(props: ListProps) {
  const { draft, onOpen } = props;
  const { modifier_group: groups, modifier_item: options } = draft.menu;
  const listed = new Set([...groups.values()].flatMap((one) => idsIn(one, 'modifier_item_external_ids')));
  const loose = [...options.keys()].filter((id) => !listed.has(id));
  return (
    <>
      {[...groups].map(([id, group]) => {
        const name = nameOf(group, id, props.language);
        const into = { kind: 'modifier_group', id, field: 'modifier_item_external_ids' } as const;
        return (
          <section key={id} class="panel stack" aria-label={name}>
            <div class="edit-head">
              <h2>
                <bdi>{name}</bdi> <EditedBadge draft={draft} kind="modifier_group" id={id} />
              </h2>
              <Button
                aria-label={t('edit_the_group_name', { name })}
                onClick={() => onOpen({ kind: 'modifier_group', id })}
              >
                {t('edit')}
              </Button>
            </div>
            <Rows {...props} kind="modifier_item" ids={idsIn(group, 'modifier_item_external_ids')} />
            <AddButton label={t('add_a_choice')} onPress={() => onOpen({ kind: 'modifier_item', into })} />
          </section>
        );
      })}
      {loose.length > 0 && (
        <section class="panel stack" aria-label={t('in_no_group')}>
          <h2>{t('in_no_group')}</h2>
          <Rows {...props} kind="modifier_item" ids={loose} />
        </section>
      )}
      <AddButton label={t('add_a_group_of_choices')} onPress={() => onOpen({ kind: 'modifier_group' })} />
    </>
  );
}

/** The menus, when each is served, and the categories on it. */
export function MenuList(props: ListProps) {
  return (
    <>
      <section class="panel stack" aria-label={t('menus')}>
        <h2>{t('menus')}</h2>
        <Rows {...props} kind="menu" ids={[...props.draft.menu.menu.keys()]} />
        <AddButton label={t('add_a_menu')} onPress={() => props.onOpen({ kind: 'menu' })} />
      </section>
      <section class="panel stack" aria-label={t('categories')}>
        <h2>{t('categories')}</h2>
        <Rows {...props} kind="category" ids={[...props.draft.menu.category.keys()]} />
        <AddButton label={t('add_a_category')} onPress={() => props.onOpen({ kind: 'category' })} />
      </section>
    </>
  );
}

interface RowsProps extends ListProps {
  readonly kind: Kind;
  readonly ids: readonly string[];
}

function Rows({ draft, currency, language, onOpen, kind, ids }: RowsProps) {
  return (
    <ul class="rows">
      {ids.map((id) => {
        const entity = draft.menu[kind].get(id);
        return (
          <li key={id} class="edit-row">
            <button type="button" class="edit-open" onClick={() => onOpen({ kind, id })}>
              <span>
                <bdi>{nameOf(entity, id, language)}</bdi>
                <EditedBadge draft={draft} kind={kind} id={id} />
              </span>
              <span class="soft small">{entity !== undefined && describe(kind, entity, currency)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function describe(kind: Kind, entity: Entity, currency: string | undefined): string {
  if (kind === 'menu') return describeHours((entity['availability'] ?? []) as Availability[]);
  if (kind === 'category') return t('count_items', { count: idsIn(entity, 'item_external_ids').length });
  if (kind !== 'modifier_item') return '';
  return toPriceChange((entity['price_change'] as number) + (entity['tax_change'] as number), currency);
}
