import { useSignal } from '@preact/signals';
import type { ManagedStore, MenuItemFlat } from '#sdk';
import { showAllergens } from '../../../../../src/menus/allergens.js';
import { language as spoken, t, tx } from '../../../text/t.js';
import { toMoney, toText } from '../../../text/format.js';
import { picturesIn, type Photos } from '../photos/save-photo.js';
import { DietaryLabels } from './dietary-labels.js';
import { REASON_WORDS, reasonOf, type MenuView } from './menu-view.js';

interface ItemRowProps {
  readonly item: MenuItemFlat;
  readonly view: MenuView & { readonly photos: Photos };
  readonly store: ManagedStore;
  readonly language: string;
  readonly selected: ReadonlySet<string> | undefined;
  readonly onOpen: (externalId: string) => void;
  /** Dropped on the row, or pasted while it has the focus. */
  readonly onPictures: (files: readonly File[], externalId: string) => void;
  readonly onSelect: (externalId: string) => void;
}

export function ItemRow(props: ItemRowProps) {
  const { item, view, store, language, selected, onOpen, onPictures, onSelect } = props;
  const { external_id: id } = item;
  const photo = view.photos.get(id);
  const left = view.left.get(id);
  const isOver = useSignal(false);
  const reason = reasonOf(view, item);
  const description = toText(item.description, language);
  const isChoosing = selected !== undefined;
  const isChosen = selected?.has(id) ?? false;
  return (
    <button
      type="button"
      class="item"
      data-off={reason !== undefined}
      aria-pressed={isChoosing ? isChosen : undefined}
      data-over={isOver.value}
      onClick={() => (isChoosing ? onSelect(id) : onOpen(id))}
      onDragOver={() => (isOver.value = true)}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        isOver.value = false;
        onPictures(picturesIn(event.dataTransfer), id);
      }}
      onPaste={(event) => onPictures(picturesIn(event.clipboardData), id)}
    >
      {isChoosing && <span class="tick" data-on={isChosen} />}
      <span class="item-text">
        <span class="item-name">
          <bdi>{toText(item.name, language) || id}</bdi>
          <DietaryLabels item={item} />
        </span>
        {description !== '' && (
          <span class="clamp item-description">
            <bdi>{description}</bdi>
          </span>
        )}
        {item.allergens !== undefined && item.allergens !== '' && (
          <bdi class="small soft">
            {tx('allergens_allergens', { allergens: <bdi>{showAllergens(item.allergens, spoken())}</bdi> })}
          </bdi>
        )}
        {left !== undefined && <span class="badge kitchen">{t('count_portions_left', { count: left })}</span>}
        {reason !== undefined && (
          <span class={reason === 'out_of_stock' ? 'badge bad' : 'badge'}>{REASON_WORDS[reason]}</span>
        )}
      </span>
      {photo !== undefined && (
        <img
          class="thumbnail"
          loading="lazy"
          src={(photo.small ?? photo).url}
          width={photo.width}
          height={photo.height}
          alt=""
        />
      )}
      <span class="item-price number">{toMoney(item.price + item.tax, store.currency)}</span>
    </button>
  );
}
