import { useSignal } from '@preact/signals';
import type { ManagedStore } from '#sdk';
import type { Item } from '../../../../../guest/src/api.js';
import { defaultsOf, findProblems, type Choices, type FindItem } from '../../../../../guest/src/choices.js';
import { ChoiceFields, type ChoiceLook } from '../../../../../guest/src/parts/choice-fields.js';
import { client } from '../../../data/session.js';
import { firstLanguageOf } from '../../../data/stores.js';
import { fold } from '../../../text/fold.js';
import { toMoney, toText, toPriceChange } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Trouble, useLoad } from '../../../ui/loading.js';
import { InputField } from '../../../ui/field.js';
import { newLine, type DraftLine } from './draft.js';
import { describeRule } from '../../../text/rule-words.js';
import { Stepper } from '../../../ui/stepper.js';

interface AddFromMenuProps {
  readonly store: ManagedStore;
  readonly onAdd: (line: DraftLine) => void;
}

const MOST_FOUND = 8;

/** Finds an item of the menu, asks for its choices where it has any, and adds one. */
export function AddFromMenu({ store, onAdd }: AddFromMenuProps) {
  const { value, error, reload } = useLoad(
    async (signal) => itemsIn((await client.getMenuConfiguration(store.id, { signal })).menu_configuration),
    [store.id],
  );
  const text = useSignal('');
  const chosen = useSignal<{ readonly item: Item; readonly choices: Choices } | undefined>(undefined);
  const items = value.value ?? new Map<string, Item>();
  const findItem = (externalId: string) => items.get(externalId);
  const wanted = fold(text.value);
  const found = [...items.values()].filter(
    ({ name, sell_separately: isSold }) => isSold && wanted !== '' && fold(toText(name)).includes(wanted),
  );
  const add = (item: Item, choices: Choices) => {
    // The kitchen reads the store's own language.
    const sent = newLine(item, choices, findItem, (name) => toText(name, firstLanguageOf(store)));
    const named = newLine(item, choices, findItem, (name) => toText(name));
    onAdd({ sent, named, quantity: 1, was: 0 });
    chosen.value = undefined;
    text.value = '';
  };
  const pick = (item: Item) => {
    const choices = defaultsOf(item.modifier_groups, { depth: 1, findItem });
    if (item.modifier_groups.length === 0) add(item, choices);
    else chosen.value = { item, choices };
  };
  if (error.value !== undefined) return <Trouble error={error.value} retry={reload} />;
  if (chosen.value !== undefined) {
    const { item, choices } = chosen.value;
    return (
      <section class="stack panel" aria-label={toText(item.name)}>
        <h3>{toText(item.name)}</h3>
        <ChoiceFields
          groups={item.modifier_groups}
          choices={choices}
          look={choiceLook(findItem, store.currency)}
          isStrict
          onChange={(next) => (chosen.value = { item, choices: next })}
        />
        <div class="row">
          <Button
            disabled={findProblems(item.modifier_groups, choices, findItem).length > 0}
            onClick={() => add(item, choices)}
          >
            {t('add_it')}
          </Button>
          <Button look="quiet" onClick={() => (chosen.value = undefined)}>
            {t('not_this_one')}
          </Button>
        </div>
      </section>
    );
  }
  return (
    <section class="stack">
      <InputField
        label={t('add_from_the_menu')}
        type="search"
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <div class="stack found-items">
        {found.slice(0, MOST_FOUND).map((item) => (
          <Button key={item.external_id} look="spread" disabled={!item.in_stock} onClick={() => pick(item)}>
            <bdi>{toText(item.name)}</bdi>
            <span class="number">
              {item.in_stock ? toMoney(item.price + item.tax, store.currency) : t('sold_out')}
            </span>
          </Button>
        ))}
      </div>
    </section>
  );
}

function itemsIn(menus: readonly { readonly categories: readonly { readonly items: readonly Item[] }[] }[]) {
  const all = menus.flatMap(({ categories }) => categories.flatMap(({ items }) => items));
  return new Map(all.map((item) => [item.external_id, item]));
}

/** How the staff are asked for the choices of an item. */
function choiceLook(findItem: FindItem, currency: string | undefined): ChoiceLook {
  return {
    Stepper,
    findItem,
    textOf: (text) => toText(text),
    words: (word) => t(word),
    hintOf: (group) => <span class="soft small">{describeRule(group)}</span>,
    changeOf: ({ price_change: price, tax_change: tax }) => toPriceChange(price + tax, currency),
  };
}
