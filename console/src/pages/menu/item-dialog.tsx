import type { ManagedStore, MenuItemFlat, ModifierGroupFlat, ModifierItemFlat } from '#sdk';
import { Dialog } from '../../parts/dialog.js';
import { toMoney, toPriceChange, toText } from '../../parts/format.js';
import { Icon } from '../../parts/icon.js';
import { may } from '../../session.js';
import { DietaryLabels } from './dietary-labels.js';
import {
  describeRule,
  directionOf,
  groupsOf,
  optionsOf,
  REASON_WORDS,
  reasonOf,
  type MenuView,
} from './menu-view.js';
import type { StockTarget } from './stock.js';

interface ItemDialogProps {
  readonly item: MenuItemFlat;
  readonly view: MenuView;
  readonly store: ManagedStore;
  readonly language: string;
  readonly onMark: (target: StockTarget, isInStock: boolean) => void;
  readonly onClose: () => void;
}

/** An item with its choices, and the button that takes it off sale: the second of two taps. */
export function ItemDialog({ item, view, store, language, onMark, onClose }: ItemDialogProps) {
  const reason = reasonOf(view, item);
  const isInStock = item.in_stock !== false;
  const target: StockTarget = { kind: 'item', externalId: item.external_id };
  return (
    <Dialog
      title={<bdi>{toText(item.name, language) || item.external_id}</bdi>}
      onClose={onClose}
      actions={
        may('stock:write') && (
          <button
            type="button"
            class={isInStock ? 'button danger primary' : 'button primary'}
            onClick={() => {
              onMark(target, !isInStock);
              onClose();
            }}
          >
            <Icon name={isInStock ? 'close' : 'check'} />
            {isInStock ? 'Mark sold out' : 'Back in stock'}
          </button>
        )
      }
    >
      <div class="stack" dir={directionOf(language)} lang={language}>
        <div class="row">
          <strong class="number">{toMoney(item.price + item.tax, store.currency)}</strong>
          <span class="soft small">of which tax {toMoney(item.tax, store.currency)}</span>
          <DietaryLabels item={item} />
          {reason !== undefined && (
            <span class={reason === 'out_of_stock' ? 'badge bad' : 'badge'}>{REASON_WORDS[reason]}</span>
          )}
        </div>
        <Text text={toText(item.description, language)} />
        <Text text={item.ingredients} lead="Ingredients" />
        <Text text={item.allergens} lead="Allergens" />
        {item.prep_time !== undefined && <p class="soft small">Takes {item.prep_time} minutes to prepare</p>}
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

function Text({ text, lead }: { readonly text: string | undefined; readonly lead?: string }) {
  if (text === undefined || text === '') return null;
  return (
    <p>
      {lead !== undefined && <strong>{lead}: </strong>}
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
        {option.default_quantity > 0 && <span class="soft small"> · usual</span>}
        {option.max_quantity > 1 && <span class="soft small"> · up to {option.max_quantity}</span>}
        {!isInStock && <span class="badge bad">Sold out</span>}
      </span>
      <span class="number soft">
        {toPriceChange(option.price_change + option.tax_change, store.currency)}
      </span>
      {may('stock:write') && (
        <button
          type="button"
          class="button"
          aria-label={`${name}: ${isInStock ? 'mark sold out' : 'back in stock'}`}
          onClick={() => onMark({ kind: 'modifier_item', externalId: option.external_id }, !isInStock)}
        >
          {isInStock ? 'Sold out' : 'Back in'}
        </button>
      )}
    </li>
  );
}
