import type { WeekHours } from '../../domain/menu/hours.js';
import type { PricedGroup, PricedItem, PricedModifier, PriceList } from '../../domain/quote/price-list.js';
import { hasMember, lengthAt, listAt, type PackedLists } from './packed-lists.js';
import { allIds, findAmong, findEntity, idOf, nameReader, type NamedEntities } from './named-entities.js';
import { SOLD_SEPARATELY, STATED_OUT, type PriceIndex } from './price-index.js';

/** Reads the index with the stock as it is marked: by the id of the entity, whether it is in stock. */
export function openPriceList(index: PriceIndex, marks: ReadonlyMap<number, boolean>): PriceList {
  const nameOfItem = nameReader(index.items);
  const nameOfModifier = nameReader(index.modifiers);
  const isInStock = (id: number, flags: number) => marks.get(id) ?? (flags & STATED_OUT) === 0;

  const modifierAt = (at: number): PricedModifier => {
    const { modifierAmounts: amounts, modifierIds, modifierFlags } = index;
    return {
      number: at,
      name: nameOfModifier(at),
      priceChange: amounts[4 * at] ?? 0,
      taxChange: amounts[4 * at + 1] ?? 0,
      min: amounts[4 * at + 2] ?? 0,
      max: amounts[4 * at + 3] ?? 0,
      isInStock: isInStock(modifierIds[at] ?? 0, modifierFlags[at] ?? 0),
    };
  };

  const groupAt = (at: number): PricedGroup => {
    const { groups, modifiers, groupCounts: counts, groupModifiers } = index;
    return {
      number: at,
      externalId: () => idOf(groups, at),
      min: counts[3 * at] ?? 0,
      max: counts[3 * at + 1] ?? 0,
      chargeAfter: counts[3 * at + 2] ?? 0,
      findModifier(externalId) {
        const modifier = findListed(modifiers, groupModifiers, at, externalId);
        return modifier === undefined ? undefined : modifierAt(modifier);
      },
      modifierIds: () => allIds(modifiers, listAt(groupModifiers, at)),
    };
  };

  const itemAt = (at: number): PricedItem => {
    const { groups, itemAmounts: amounts, itemIds, itemFlags, itemGroups, requiredGroups } = index;
    const flags = itemFlags[at] ?? 0;
    return {
      name: nameOfItem(at),
      price: amounts[2 * at] ?? 0,
      tax: amounts[2 * at + 1] ?? 0,
      isSoldSeparately: (flags & SOLD_SEPARATELY) !== 0,
      isInStock: isInStock(itemIds[at] ?? 0, flags),
      menus: () => menusOf(index, at),
      findGroup(externalId) {
        const group = findListed(groups, itemGroups, at, externalId);
        return group === undefined ? undefined : groupAt(group);
      },
      groupIds: () => allIds(groups, listAt(itemGroups, at)),
      requiredGroups: (except) =>
        listAt(requiredGroups, at)
          .filter((group) => !except.has(group))
          .map(groupAt),
    };
  };

  return {
    findItem(externalId) {
      const at = findEntity(index.items, externalId);
      return at === undefined ? undefined : itemAt(at);
    },
    itemIds: () => allIds(index.items),
    hoursOf: (menu): WeekHours => index.menuHours[menu] ?? 'always',
  };
}

const FEW = 16;

/** The entity of that external_id, if list `at` has it. */
function findListed(
  entities: NamedEntities,
  lists: PackedLists,
  at: number,
  externalId: string,
): number | undefined {
  if (lengthAt(lists, at) <= FEW) return findAmong(entities, listAt(lists, at), externalId);
  const found = findEntity(entities, externalId);
  return found !== undefined && hasMember(lists, at, found) ? found : undefined;
}

function menusOf({ itemMenus, menuWords }: PriceIndex, item: number): number[] {
  const menus: number[] = [];
  for (let word = 0; word < menuWords; word += 1) {
    let bits = itemMenus[item * menuWords + word] ?? 0;
    while (bits !== 0) {
      const lowest = 31 - Math.clz32(bits & -bits);
      menus.push(word * 32 + lowest);
      bits &= bits - 1;
    }
  }
  return menus;
}
