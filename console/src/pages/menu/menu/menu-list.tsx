import { useSignal } from '@preact/signals';
import type { CategoryFlat, ManagedStore, MenuFlat, MenuItemFlat } from '#sdk';
import { fold } from '../../../text/fold.js';
import { directionOf } from '../../../text/languages.js';
import { language as spoken, t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Empty } from '../../../ui/table.js';
import { toText } from '../../../text/format.js';
import { describeHours } from '../../../text/hours.js';
import { Icon } from '../../../ui/icon.js';
import type { Photos } from '../photos/save-photo.js';
import { ItemRow } from './item-row.js';
import { categoriesOf, itemsOf, looseItems, type MenuView } from './menu-view.js';

interface MenuListProps {
  readonly view: MenuView & { readonly photos: Photos };
  readonly store: ManagedStore;
  readonly language: string;
  readonly search: string;
  /** The chosen items while several are being chosen. */
  readonly selected: ReadonlySet<string> | undefined;
  readonly onOpen: (externalId: string) => void;
  readonly onPictures: (files: readonly File[], externalId: string) => void;
  readonly onSelect: (externalId: string) => void;
}

/** Menus with their categories; with something to search for, only the items that have it. */
export function MenuList(props: MenuListProps) {
  const { view, search } = props;
  const wanted = fold(search.trim());
  if (wanted !== '') return <Found {...props} wanted={wanted} />;
  const loose = looseItems(view);
  return (
    <>
      {view.menus.map((menu) => (
        <MenuSection key={menu.external_id} menu={menu} {...props} />
      ))}
      {loose.length > 0 && (
        <section class="menu-part">
          <h2>{t('in_no_category')}</h2>
          <Rows items={loose} {...props} />
        </section>
      )}
    </>
  );
}

function MenuSection({ menu, ...props }: MenuListProps & { readonly menu: MenuFlat }) {
  const { view, language } = props;
  const isClosed = view.closedMenus.has(menu.external_id);
  const name = toText(menu.name, language) || menu.external_id;
  return (
    <details class="menu-part" open={!isClosed} data-closed={isClosed}>
      <summary>
        <Icon name="right" />
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span class={isClosed ? 'badge' : 'badge ready'}>
          {isClosed ? t('not_served_at_this_time') : t('being_served')}
        </span>
        <span class="small soft" dir={directionOf(spoken())}>
          {describeHours(menu.availability)}
        </span>
      </summary>
      {categoriesOf(view, menu).map((category) => (
        <CategorySection key={category.external_id} category={category} {...props} />
      ))}
    </details>
  );
}

function CategorySection({ category, ...props }: MenuListProps & { readonly category: CategoryFlat }) {
  const { view, language } = props;
  const description = toText(category.description, language);
  return (
    <section class="category">
      <h3>
        <bdi>{toText(category.name, language) || category.external_id}</bdi>
      </h3>
      {description !== '' && (
        <p class="soft small">
          <bdi>{description}</bdi>
        </p>
      )}
      <Rows items={itemsOf(view, category)} {...props} />
    </section>
  );
}

function Found({ wanted, ...props }: MenuListProps & { readonly wanted: string }) {
  const items = [...props.view.items.values()].filter((item) => fold(searchable(item)).includes(wanted));
  if (items.length === 0)
    return (
      <Empty icon="search" title={t('nothing_on_the_menu_has_that')}>
        <p>{t('the_search_looks_at_names_and')}</p>
      </Empty>
    );
  return (
    <section class="menu-part">
      <Rows items={items} {...props} />
    </section>
  );
}

const MOST_ROWS = 100;

function Rows({ items, ...props }: MenuListProps & { readonly items: readonly MenuItemFlat[] }) {
  const most = useSignal(MOST_ROWS);
  const more = items.length - most.value;
  return (
    <>
      <ul class="items">
        {items.slice(0, most.value).map((item, i) => (
          // The same item may stand twice in a category.
          <li key={`${item.external_id} ${i}`}>
            <ItemRow item={item} {...props} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button onClick={() => (most.value += MOST_ROWS)}>{t('show_count_more', { count: more })}</Button>
      )}
    </>
  );
}

function searchable({ external_id: id, name, description }: MenuItemFlat): string {
  return [id, ...Object.values(name.translations), ...Object.values(description?.translations ?? {})].join(
    ' ',
  );
}
