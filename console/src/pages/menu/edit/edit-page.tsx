import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ManagedStore } from '#sdk';
import { language as spoken, t } from '../../../text/t.js';
import type { LiveStore } from '../../../data/live/live-store.js';
import { Button } from '../../../ui/button.js';
import { Busy, Trouble } from '../../../ui/loading.js';
import { ConfirmDialog } from '../../../ui/dialogs.js';
import { Empty } from '../../../ui/table.js';
import { Field, InputField } from '../../../ui/field.js';
import { Icon } from '../../../ui/icon.js';
import { findTag, toList } from '../../../text/format.js';
import { languageName, OFFERED_LANGUAGES } from '../../../text/languages.js';
import { useTitle } from '../../../ui/use-title.js';
import { navigate, place, toHref } from '../../../app/router.js';
import { may } from '../../../data/session.js';
import { nameOf } from '../../../data/stores.js';
import { CategoryForm, GroupForm, MenuForm, OptionForm } from './other-forms.js';
import { ComboForm } from './combo-form.js';
import { Conflicts } from './conflicts.js';
import type { FormProps, Opened } from './entity-form.js';
import { ItemForm } from './item-form.js';
import { ItemList } from './item-list.js';
import { languagesOf } from './names.js';
import { ChoiceList, MenuList } from './other-lists.js';
import { PriceTable } from './price-table.js';
import { Review } from './review.js';
import { useDraft } from './use-draft.js';
import './edit.css';

const VIEWS = {
  items: t('items'),
  prices: t('prices'),
  choices: t('choices'),
  menus: t('menus_and_hours'),
} as const;

const FORMS = {
  item: ItemForm,
  category: CategoryForm,
  menu: MenuForm,
  modifier_group: GroupForm,
  modifier_item: OptionForm,
};

/** Changes the menu bit by bit; nothing is published before it has been looked through. */
export function EditPage({ store, live }: { readonly store: ManagedStore; readonly live: LiveStore }) {
  const { draft, error, reload } = useDraft(store.id, live);
  const form = useSignal<Pick<FormProps, 'opened' | 'present'> | undefined>(undefined);
  const search = useSignal('');
  const more = useSignal<readonly string[]>([]);
  const isDiscarding = useSignal(false);
  useTitle(t('edit_the_menu'), nameOf(store));
  const view = place.value.query.get('view') ?? 'items';
  const base = `/stores/${store.id}/menu/edit`;
  // From the menu page: the item that was looked at is opened, once.
  const asked = place.value.query.get('item');
  useEffect(() => {
    if (asked === null || draft === undefined) return;
    const present = draft.menu.item.get(asked);
    if (present !== undefined) form.value = { opened: { kind: 'item', id: asked }, present };
    navigate(toHref(base), { isReplacing: true });
  }, [asked, draft === undefined]);
  if (!may('menu:write'))
    return (
      <Empty icon="menu" title={t('this_key_may_not_change_the_menu')} isPage>
        <p>{t('changing_it_needs_a_key_with')}</p>
      </Empty>
    );
  if (draft === undefined)
    return error === undefined ? (
      <Busy>{t('reading_the_menu')}</Busy>
    ) : (
      <Trouble error={error} retry={reload} />
    );

  const languages = [...new Set([...languagesOf(draft.menu), ...more.value])];
  const language = findTag(languages, spoken()) ?? languages[0] ?? 'en';
  const count = draft.edits.length;
  const shared = { draft, currency: store.currency, language, search: search.value };
  const open = (opened: Opened) => {
    const { kind, id } = opened;
    form.value = { opened, present: id === undefined ? undefined : draft.menu[kind].get(id) };
  };
  const Form: ((props: FormProps) => preact.JSX.Element) | undefined =
    form.value && (form.value.opened.isCombo === true ? ComboForm : FORMS[form.value.opened.kind]);
  const discard = count > 0 && <Button onClick={() => (isDiscarding.value = true)}>{t('discard')}</Button>;
  return (
    <>
      <header>
        <div>
          <a href={toHref(`/stores/${store.id}/menu`)} class="row small">
            <Icon name="left" />
            {t('menu')}
          </a>
          <h1>{t('edit_the_menu')}</h1>
        </div>
        {view === 'review' && (
          <div class="row">
            {discard}
            <a class="button" href={toHref(base)}>
              {t('go_on_editing')}
            </a>
          </div>
        )}
      </header>
      <Trouble error={error} retry={reload} />
      <Conflicts draft={draft} currency={store.currency} />
      {view === 'review' ? (
        count === 0 ? (
          <Empty icon="check" title={t('nothing_is_changed')} />
        ) : (
          draft.conflicts.length === 0 && <Review store={store} draft={draft} />
        )
      ) : (
        <>
          <nav class="tabs" aria-label={t('what_to_edit')}>
            {Object.entries(VIEWS).map(([name, label]) => (
              <a
                key={name}
                class="tab"
                href={toHref(base, { view: name })}
                aria-current={view === name ? 'page' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
          <div class="edit-controls">
            {(view === 'items' || view === 'prices') && (
              <InputField
                label={t('search')}
                type="search"
                placeholder={t('name_or_id')}
                value={search.value}
                onInput={(event) => (search.value = event.currentTarget.value)}
              />
            )}
            <AddLanguage languages={languages} onAdd={(tag) => (more.value = [...more.value, tag])} />
          </div>
          {view === 'prices' ? (
            <PriceTable {...shared} />
          ) : view === 'choices' ? (
            <ChoiceList {...shared} onOpen={open} />
          ) : view === 'menus' ? (
            <MenuList {...shared} onOpen={open} />
          ) : (
            <ItemList {...shared} onOpen={open} />
          )}
          {count > 0 && (
            <div class="save-bar" role="region" aria-label={t('unsaved_changes')}>
              <strong>{t('nothing_has_been_published_yet')}</strong>
              {discard}
              <a class="button primary" href={toHref(base, { view: 'review' })}>
                {t('review_count_changes', { count })}
              </a>
            </div>
          )}
        </>
      )}
      {Form !== undefined && form.value !== undefined && (
        <Form
          {...form.value}
          key={`${form.value.opened.kind} ${form.value.opened.id ?? ''}`}
          storeId={store.id}
          draft={draft}
          currency={store.currency}
          languages={languages}
          onClose={() => (form.value = undefined)}
        />
      )}
      {isDiscarding.value && (
        <ConfirmDialog
          title={t('discard_the_draft')}
          confirm={t('discard_count_changes', { count })}
          onConfirm={() => {
            draft.discard();
            isDiscarding.value = false;
          }}
          onClose={() => (isDiscarding.value = false)}
        >
          <p>{t('the_menu_stays_as_it_is_published')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface AddLanguageProps {
  readonly languages: readonly string[];
  readonly onAdd: (tag: string) => void;
}

function AddLanguage({ languages, onAdd }: AddLanguageProps) {
  return (
    <Field label={t('add_a_language')}>
      {(ids) => (
        <select
          {...ids}
          class="input"
          value=""
          onChange={(event) => {
            if (event.currentTarget.value !== '') onAdd(event.currentTarget.value);
            event.currentTarget.value = '';
          }}
        >
          <option value="">{toList(languages.map(languageName))}</option>
          {OFFERED_LANGUAGES.filter((tag) => !languages.includes(tag)).map((tag) => (
            <option key={tag} value={tag}>
              {languageName(tag)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
