import { showAllergens } from '../../../../../src/menus/allergens.js';
import type {
  ItemMark,
  ManagedStore,
  MenuItemFlat,
  ModifierGroupFlat,
  ModifierItemFlat,
  StockMark,
} from '#sdk';
import { client, may } from '../../../data/session.js';
import { language as spoken, t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialogs.js';
import { toDateTime, toMoney, toPriceChange, toText } from '../../../text/format.js';
import { Icon } from '../../../ui/icon.js';
import { directionOf } from '../../../text/languages.js';
import { describeRule } from '../../../text/rule-words.js';
import { useLoad } from '../../../ui/loading.js';
import { toHref } from '../../../app/router.js';
import { listStations } from '../../../data/stations.js';
import { timezoneOf } from '../../../data/stores.js';
import { PhotoField } from '../photos/photo-field.js';
import type { Photos } from '../photos/save-photo.js';
import { DietaryLabels } from './dietary-labels.js';
import { groupsOf, optionsOf, REASON_WORDS, reasonOf, type MenuView } from './menu-view.js';
import { StockChoices } from './stock-choices.js';
import type { StockTarget } from './stock.js';

interface ItemDialogProps {
  readonly item: MenuItemFlat;
  readonly view: MenuView;
  readonly store: ManagedStore;
  readonly language: string;
  readonly photos: Photos;
  readonly onPhoto: () => void;
  readonly onMark: (target: StockTarget, mark: ItemMark) => void;
  readonly onClose: () => void;
}

/** An item with its choices, and the buttons that take it off sale: the second of two taps. */
export function ItemDialog(props: ItemDialogProps) {
  const { item, view, store, language, photos, onPhoto, onMark, onClose } = props;
  const reason = reasonOf(view, item);
  const isInStock = item.in_stock !== false;
  const target: StockTarget = { kind: 'item', externalId: item.external_id };
  // Only who may mark an item is told until when it is marked: a change of nothing answers it.
  const { value } = useLoad(
    async (signal) =>
      may('stock:write') ? client.markItem(store.id, item.external_id, {}, { signal }) : undefined,
    [item],
  );
  const station = value.value?.prep_type ?? view.stations.get(item.external_id);
  const markAndClose = (mark: ItemMark) => {
    onMark(target, mark);
    onClose();
  };
  return (
    <Dialog
      title={<bdi>{toText(item.name, language) || item.external_id}</bdi>}
      onClose={onClose}
      actions={
        <>
          {may('menu:write') && (
            <a
              class="button"
              href={toHref(`/stores/${store.id}/menu/edit`, { item: item.external_id })}
              aria-label={t('edit_name', { name: toText(item.name, language) || item.external_id })}
            >
              <Icon name="edit" />
              {t('edit')}
            </a>
          )}
          {may('stock:write') && !isInStock && (
            <Button look="primary" icon="check" onClick={() => markAndClose({ in_stock: true })}>
              {t('back_in_stock')}
            </Button>
          )}
        </>
      }
    >
      <div class="stack" dir={directionOf(language)} lang={language}>
        <div class="row">
          <strong class="number">{toMoney(item.price + item.tax, store.currency)}</strong>
          <span class="soft small">
            {t('of_which_tax_amount', { amount: toMoney(item.tax, store.currency) })}
          </span>
          <DietaryLabels item={item} />
          {reason !== undefined && (
            <span class={reason === 'out_of_stock' ? 'badge bad' : 'badge'}>{REASON_WORDS[reason]}</span>
          )}
          <Marked mark={value.value} timezone={timezoneOf(store)} />
          {station !== undefined && <span class="badge">{station}</span>}
        </div>
        {may('stock:write') && (
          <StockChoices
            timezone={timezoneOf(store)}
            station={station}
            stations={listStations(view.stations)}
            onMark={markAndClose}
          />
        )}
        {may('menu:write') && (
          <PhotoField
            storeId={store.id}
            externalId={item.external_id}
            name={toText(item.name, language) || item.external_id}
            photos={photos}
            onDone={onPhoto}
          />
        )}
        <Text text={toText(item.description, language)} />
        <Text text={item.ingredients} lead={t('ingredients_label')} />
        <Text text={item.allergens && showAllergens(item.allergens, spoken())} lead={t('allergens_label')} />
        {item.prep_time !== undefined && (
          <p class="soft small">
            {t('takes_count_minutes_to_prepare', {
              count: item.prep_time,
            })}
          </p>
        )}
        {groupsOf(view, item).map((group) => (
          <Group
            key={group.external_id}
            group={group}
            view={view}
            store={store}
            language={language}
            onMark={onMark}
          />
        ))}
        <p class="soft small mono">{item.external_id}</p>
      </div>
    </Dialog>
  );
}

/** Until when it is sold out, or how many are left. */
function Marked({ mark, timezone }: { readonly mark: StockMark | undefined; readonly timezone: string }) {
  if (mark?.until !== undefined)
    return <span class="small">{t('until_time', { time: toDateTime(mark.until, timezone) })}</span>;
  if (mark?.left === undefined) return null;
  return <span class="badge kitchen">{t('count_portions_left', { count: mark.left })}</span>;
}

function Text({ text, lead }: { readonly text: string | undefined; readonly lead?: string }) {
  if (text === undefined || text === '') return null;
  return (
    <p>
      {lead !== undefined && <strong>{lead} </strong>}
      <bdi>{text}</bdi>
    </p>
  );
}

type GroupProps = Pick<ItemDialogProps, 'view' | 'store' | 'language' | 'onMark'> & {
  readonly group: ModifierGroupFlat;
};

function Group({ group, view, store, language, onMark }: GroupProps) {
  const name = toText(group.name, language) || group.external_id;
  return (
    <section class="group">
      <h3>
        <bdi>{name}</bdi> <span class="soft small">{describeRule(group)}</span>
      </h3>
      <ul>
        {optionsOf(view, group).map((option) => (
          <Option
            key={option.external_id}
            option={option}
            store={store}
            language={language}
            onMark={onMark}
          />
        ))}
      </ul>
    </section>
  );
}

type OptionProps = Pick<ItemDialogProps, 'store' | 'language' | 'onMark'> & {
  readonly option: ModifierItemFlat;
};

function Option({ option, store, language, onMark }: OptionProps) {
  const isInStock = option.in_stock !== false;
  const name = toText(option.name, language) || option.external_id;
  return (
    <li class="option" data-off={!isInStock}>
      <span>
        <bdi>{name}</bdi>
        {option.default_quantity > 0 && <span class="soft small"> · {t('usual')}</span>}
        {option.max_quantity > 1 && (
          <span class="soft small"> · {t('up_to_number', { number: option.max_quantity })}</span>
        )}
        {!isInStock && <span class="badge bad">{t('sold_out')}</span>}
      </span>
      <span class="number soft">
        {toPriceChange(option.price_change + option.tax_change, store.currency)}
      </span>
      {may('stock:write') && (
        <Button
          aria-label={isInStock ? t('name_mark_sold_out', { name }) : t('name_back_in_stock', { name })}
          onClick={() =>
            onMark({ kind: 'modifier_item', externalId: option.external_id }, { in_stock: !isInStock })
          }
        >
          {isInStock ? t('mark_sold_out') : t('back_in_stock')}
        </Button>
      )}
    </li>
  );
}
