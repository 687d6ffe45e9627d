import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { FormDialog } from '../../../ui/dialogs.js';
import type { Kind } from '../../../../../src/menus/kinds.js';
import type { Entity } from './draft.js';
import { nameOf, newId } from './names.js';
import { readTexts, Texts } from './texts.js';
import type { Draft } from './use-draft.js';

/** What is open in a window: an entity, or a new one, which goes into the list of another. */
export interface Opened {
  readonly kind: Kind;
  readonly id?: string;
  /** A new item that is put together from others. */
  readonly isCombo?: true;
  readonly into?: { readonly kind: Kind; readonly id: string; readonly field: string };
}

export interface FormProps {
  readonly opened: Opened;
  /** The entity as it was when the form was opened: what others publish meanwhile is not overwritten with it. */
  readonly present: Entity | undefined;
  readonly storeId: string;
  readonly draft: Draft;
  readonly currency: string | undefined;
  readonly languages: readonly string[];
  readonly onClose: () => void;
}

interface EntityFormProps extends FormProps {
  readonly title?: string;
  /** What the form says beside the name and the description; throws a sentence about what is wrong. */
  readonly read: (data: FormData, present: Entity | undefined) => Readonly<Record<string, unknown>>;
  readonly children: ComponentChildren;
}

/** The form of one entity. Nothing is sent: what is said goes into the draft. */
export function EntityForm(props: EntityFormProps) {
  const { opened, present, draft, languages, onClose, read, children } = props;
  const { kind, id, into } = opened;
  const isSure = useSignal(false);
  const words = WORDS[kind];
  const save = (data: FormData) => {
    const name = readTexts(data, 'name', present);
    const description = readTexts(data, 'description', present);
    if (Object.keys(name?.translations ?? {}).length === 0)
      throw new Error(t('a_name_is_needed_in_one_language'));
    const { description: _, ...kept }: Readonly<Record<string, unknown>> = present ?? {};
    const key =
      id ??
      newId(Object.values(name?.translations ?? {})[0] ?? '', kind, [
        draft.menu[kind],
        draft.published.menu[kind],
      ]);
    const wanted = {
      ...kept,
      name,
      ...(description && { description }),
      ...read(data, present),
      external_id: key,
    };
    const stated = Object.entries(wanted).filter(([, value]) => value !== undefined);
    draft.put([kind, present, Object.fromEntries(stated) as unknown as Entity]);
    const holder = into && draft.menu[into.kind].get(into.id);
    if (id === undefined && into !== undefined && holder !== undefined) {
      const list = (holder[into.field] as readonly string[] | undefined) ?? [];
      draft.put([into.kind, holder, { ...holder, [into.field]: [...list, key] }]);
    }
    onClose();
  };
  return (
    <FormDialog
      title={id === undefined ? (props.title ?? words.add) : t('edit_name', { name: nameOf(present, id) })}
      isWide
      submit={t('put_into_the_draft')}
      onSubmit={save}
      onClose={onClose}
    >
      <Texts label={t('name')} field="name" entity={present} languages={languages} />
      {children}
      {kind !== 'menu' && (
        <Texts label={t('description')} field="description" entity={present} languages={languages} />
      )}
      {id !== undefined && (
        <p class="row small soft">
          <span class="mono">{id}</span>
          <Button
            look="danger"
            onClick={() => {
              if (!isSure.value) {
                isSure.value = true;
                return;
              }
              draft.remove(kind, id, present);
              onClose();
            }}
          >
            {isSure.value ? words.removeSurely : words.remove}
          </Button>
        </p>
      )}
    </FormDialog>
  );
}

const WORDS: Readonly<Record<Kind, Readonly<Record<'add' | 'remove' | 'removeSurely', string>>>> = {
  menu: {
    add: t('new_menu'),
    remove: t('remove_this_menu'),
    removeSurely: t('yes_remove_this_menu'),
  },
  category: {
    add: t('new_category'),
    remove: t('remove_this_category'),
    removeSurely: t('yes_remove_this_category'),
  },
  item: {
    add: t('new_item'),
    remove: t('remove_this_item'),
    removeSurely: t('yes_remove_this_item'),
  },
  modifier_group: {
    add: t('new_group_of_choices'),
    remove: t('remove_this_group_of_choices'),
    removeSurely: t('yes_remove_this_group_of_choices'),
  },
  modifier_item: {
    add: t('new_choice'),
    remove: t('remove_this_choice'),
    removeSurely: t('yes_remove_this_choice'),
  },
};
