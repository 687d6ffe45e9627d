import { isInStock, type KeptMarks } from '../../../src/menus/stock/marks.js';
import type { MenuConfiguration } from '../../../src/menus/shapes.js';
import { offsetsByKind } from '../../../src/menus/kinds.js';

/** The tree built the obvious way, object by object, to hold the shared one against. */
export function naiveTree(
  configuration: MenuConfiguration,
  ids: readonly number[],
  marks: KeptMarks,
): unknown {
  const { menus = [], categories = [], items, modifier_groups = [], modifier_items = [] } = configuration;
  const offsets = offsetsByKind(configuration);
  const find = <T extends { external_id: string }>(list: readonly T[], externalId: string): [T, number] => {
    const i = list.findIndex((entity) => entity.external_id === externalId);
    const entity = list[i];
    if (entity === undefined) throw new Error(`no ${externalId}`);
    return [entity, i];
  };
  const idAt = (number: number) => ids[number];

  const isItemInStock = (externalId: string | undefined) => {
    if (externalId === undefined) return true;
    const [entity, i] = find(items, externalId);
    return isInStock(marks.get(idAt(offsets.item + i) ?? 0), entity.in_stock);
  };
  const modifier = (externalId: string) => {
    const [entity, i] = find(modifier_items, externalId);
    const id = idAt(offsets.modifier_item + i);
    const own = isInStock(marks.get(id ?? 0), entity.in_stock);
    return { ...entity, id, in_stock: own && isItemInStock(entity.menu_item_external_id) };
  };
  const group = (externalId: string) => {
    const [{ modifier_item_external_ids = [], ...rest }, i] = find(modifier_groups, externalId);
    return {
      ...rest,
      id: idAt(offsets.modifier_group + i),
      modifier_items: modifier_item_external_ids.map(modifier),
    };
  };
  const item = (externalId: string) => {
    const [{ modifier_external_ids = [], ...rest }, i] = find(items, externalId);
    const id = idAt(offsets.item + i);
    const mark = marks.get(id ?? 0);
    const prep = mark?.prepType === undefined ? {} : { prep_type: mark.prepType };
    const in_stock = isInStock(mark, rest.in_stock);
    return { ...rest, ...prep, id, in_stock, modifier_groups: modifier_external_ids.map(group) };
  };
  const category = (externalId: string) => {
    const [{ item_external_ids = [], ...rest }, i] = find(categories, externalId);
    return { ...rest, id: idAt(offsets.category + i), items: item_external_ids.map(item) };
  };
  return {
    menu_configuration: menus.map(({ category_external_ids = [], name, ...rest }, i) => ({
      ...rest,
      id: idAt(i),
      name: name ?? { translations: {} },
      categories: category_external_ids.map(category),
    })),
  };
}
