import type { ZonedMoment } from '../../calendar/open-hours.js';
import { isInStock, type KeptMarks } from '../stock/marks.js';
import { countEntities, entitiesOf, KINDS, LIST_OF, offsetsByKind, REFERENCES, type Kind } from '../kinds.js';
import { findOrderable, type Orderable, type Reason } from '../orderable.js';
import type { MenuConfiguration } from '../shapes.js';
import type { PhotoTexts } from '../photos/photo-texts.js';
import { viewStock, type StockView } from '../stock/combos.js';
import type { Fragments } from '../tree/fragments.js';
import { stockTexts, type StockText } from '../tree/stock-texts.js';
import { buildDraft, draftTree, fillDraft, WHOLE, type Selection } from '../tree/tree.js';

/** A configuration with everything that its output needs. */
export interface ParsedMenu {
  readonly configuration: MenuConfiguration;
  /** One id per entity, in the order of the lists and of the kinds. */
  readonly ids: readonly number[];
  readonly marks: KeptMarks;
  /** Of the forms that show them. */
  readonly photos?: PhotoTexts;
  /** How many are left of what is counted, by id; likewise. */
  readonly left?: ReadonlyMap<number, number>;
}

/** With marks and with the items that modifier items stand for. */
function stockOf({ configuration, ids, marks }: ParsedMenu): StockView {
  const offsets = offsetsByKind(configuration);
  return viewStock(configuration, (kind, index) =>
    isInStock(marks.get(ids[offsets[kind] + index] ?? 0), entitiesOf(configuration, kind)[index]?.in_stock),
  );
}

function textsOf({ configuration, ids, marks, photos, left }: ParsedMenu, stock: StockView): StockText {
  const counts = countEntities(configuration);
  const firstItem = counts.menus + counts.categories;
  const texts = stockTexts(
    counts,
    (kind, index) => (kind === 'item' ? stock.isItemInStock(index) : stock.isModifierInStock(index)),
    (index) => marks.get(ids[firstItem + index] ?? 0)?.prepType,
  );
  const has = (map: ReadonlyMap<number, unknown> | undefined) => map !== undefined && map.size > 0;
  if (!has(photos) && !has(left)) return texts;
  const member = (name: string, value: number | string | undefined) =>
    value === undefined ? '' : `,"${name}":${String(value)}`;
  return (number) => {
    const id = ids[number] ?? 0;
    return texts(number) + member('left', left?.get(id)) + member('photo', photos?.get(id));
  };
}

export function treeFragments(menu: ParsedMenu): Fragments {
  return fillDraft(draftTree(menu.configuration), menu.ids, textsOf(menu, stockOf(menu)));
}

/** The five lists as they were posted, each entity with its id; reference lists and in_stock are always present. */
export function flatText({ configuration, ids, marks }: ParsedMenu): string {
  const offsets = offsetsByKind(configuration);
  const lists = KINDS.map((kind) => {
    const listed = REFERENCES.find(({ from, holds }) => from === kind && holds === 'list')?.field;
    const entities = entitiesOf(configuration, kind).map((entity, i) => {
      const id = ids[offsets[kind] + i] ?? 0;
      return {
        ...entity,
        ...((kind === 'item' || kind === 'modifier_item') && {
          in_stock: isInStock(marks.get(id), entity.in_stock),
        }),
        ...(listed !== undefined && { [listed]: entity[listed] ?? [] }),
        id,
      };
    });
    return [LIST_OF[kind], entities];
  });
  return JSON.stringify(Object.fromEntries(lists));
}

/** The tree as a guest can order it at that moment, with the reasons for what is left out. */
export function availableFragments(menu: ParsedMenu, moment: ZonedMoment): Fragments {
  const { at, timezone } = moment;
  const stock = stockOf(menu);
  const orderable = findOrderable(menu.configuration, stock, moment);
  const draft = draftTree(menu.configuration, selection(orderable), {
    head: `{"at":${JSON.stringify(new Date(at))},"timezone":${JSON.stringify(timezone)},"menu_configuration":[`,
    tail: `],"left_out":${JSON.stringify(orderable.leftOut)}}`,
  });
  return fillDraft(draft, menu.ids, textsOf(menu, stock));
}

/**
 * The tree as guests read it: as they can order it at that moment, but with what is sold out marked instead of left out. How
 * dishes are prepared is the kitchen's affair. `components` are the items that modifier items stand for and that have choices
 * of their own: a guest who selects one is asked for these too, wherever else the item may be sold.
 */
export function guestFragments(menu: ParsedMenu, moment: ZonedMoment): Fragments {
  const { configuration } = menu;
  const stock = stockOf(menu);
  const orderable = findOrderable(configuration, stock, moment);
  const leftOut = orderable.leftOut.filter(({ reason }) => !SOLD_OUT.has(reason));
  const hidden = new Set(leftOut.flatMap(({ kind, external_id }) => (kind === 'item' ? [external_id] : [])));
  const incomplete = new Set(
    orderable.leftOut.flatMap(({ reason, external_id }) =>
      reason === 'modifiers_unavailable' ? [external_id] : [],
    ),
  );
  const nameOf = (position: number) => configuration.items[position]?.external_id ?? '';
  const marked = {
    ...stock,
    isItemInStock: (position: number) => stock.isItemInStock(position) && !incomplete.has(nameOf(position)),
    isModifierInStock: (position: number) => orderable.modifierItems.has(position),
  };
  const draft = buildDraft(configuration);
  const shown = draft.share((kind, position) =>
    kind === 'menu' ? orderable.menus.has(position) : kind !== 'item' || !hidden.has(nameOf(position)),
  );
  const all = draft.share(WHOLE);
  const menus = (configuration.menus ?? []).flatMap((_, i) => shown('menu', i) ?? []);
  const components = componentsOf(configuration).flatMap((i) => all('item', i) ?? []);
  const lists = [
    draft.add('"menu_configuration":[', menus, ']'),
    draft.add('"components":[', components, ']'),
  ];
  const head = `{"timezone":${JSON.stringify(moment.timezone)},"left_out":${JSON.stringify(leftOut)},`;
  draft.add(head, lists, '}');
  return fillDraft(draft.finish(), menu.ids, textsOf({ ...menu, marks: new Map() }, marked));
}

const SOLD_OUT: ReadonlySet<Reason> = new Set(['out_of_stock', 'modifiers_unavailable']);

/** Positions of the items with modifier groups that some modifier item stands for. */
function componentsOf({ items, modifier_items: modifiers = [] }: MenuConfiguration): number[] {
  const meant = new Set(modifiers.flatMap(({ menu_item_external_id: item }) => item ?? []));
  return items.flatMap(({ external_id, modifier_external_ids: groups = [] }, position) =>
    groups.length > 0 && meant.has(external_id) ? [position] : [],
  );
}

function selection({ menus, items, modifierItems }: Orderable): Selection {
  const shown: Partial<Record<Kind, ReadonlySet<number>>> = {
    menu: menus,
    item: items,
    modifier_item: modifierItems,
  };
  return (kind, position) => shown[kind]?.has(position) ?? true;
}
