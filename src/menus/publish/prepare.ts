import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { parseBody } from '../../support/json.js';
import type { Limits } from '../../support/limits.js';
import { FaultList, type Fault } from '../../support/faults.js';
import { compileShape } from '../../support/shape/compile-shape.js';
import { applyChanges, type ChangedMenu, type MenuChange } from './changes.js';
import { compileConfigurationCheck } from './check-configuration.js';
import { countDifferences, diffConfigurations, type MenuDiff } from '../versions/diff.js';
import {
  byKind,
  countEntities,
  entitiesOf,
  KINDS,
  LIST_OF,
  memberOf,
  offsetsByKind,
  type Kind,
} from '../kinds.js';
import type { PreparedMenu, StatedStock } from './prepared-menu.js';
import { entityLimits, MenuChanges, type MenuConfiguration } from '../shapes.js';
import { findWarnings, NOTHING_SOLD_OUT, type SoldOut } from './warnings.js';
import { FreeFormMap, type MultilingualText } from '../../support/shape/common-shapes.js';
import { keepFields, type KeptField } from '../rollouts/keep.js';
import { publicationCreate, type PublicationCreate } from '../rollouts/shapes.js';
import { leastTreeSize, refuseLargeTree } from '../rendering/tree.js';

/** Stored once and read rarely: the quick level already takes nine tenths off a menu. */
const STORED_LEVEL = 4;

/** No menu has shorter values on average; a body of nothing but braces would take gigabytes and many seconds to parse. */
const BYTES_A_VALUE = 8;

/** A checked configuration, with the form in which it was sent. */
interface Checked {
  readonly configuration: MenuConfiguration;
  readonly sent: unknown;
}

export interface RequestedPublication {
  readonly wanted: PublicationCreate;
  /** Absent where the menu is that of a store. */
  readonly content?: Uint8Array;
}

export interface PreparedChanges {
  readonly preparedMenu: PreparedMenu;
  readonly diff: MenuDiff;
}

/** Checks in full what is to be published, and brings it into the form in which it is kept. */
export function compilePrepare(limits: Limits) {
  const most = { maxDepth: limits.jsonDepth, maxValues: limits.menuBytes / BYTES_A_VALUE };
  const check = compileConfigurationCheck(entityLimits(limits));
  const checkChanges = compileShape(MenuChanges);
  const checkPrepared = compileShape(publicationCreate(FreeFormMap()));

  const toPreparedMenu = ({ configuration, sent }: Checked, soldOut: SoldOut): PreparedMenu => {
    const treeSize = leastTreeSize(configuration);
    refuseLargeTree(treeSize, { mostBytes: limits.treeBytes, longestPrepType: 0 });

    const externalIds = Buffer.from(JSON.stringify(externalIdsOf(configuration)));
    return {
      content: packContent(configuration),
      contentHash: sha256(canonicalText(configuration)),
      externalIds,
      warnings: findWarnings({ configuration, soldOut, body: sent }),
      externalIdsHash: sha256(externalIds),
      counts: countEntities(configuration),
      ...statedStock(configuration),
      ...treeSize,
    };
  };

  return {
    posted: (body: Uint8Array, soldOut: SoldOut = NOTHING_SOLD_OUT): PreparedMenu => {
      const sent = parseBody(body, most);
      return toPreparedMenu({ configuration: check(sent), sent }, soldOut);
    },
    changed: (current: MenuConfiguration, body: Uint8Array, soldOut: SoldOut): PreparedChanges => {
      const faults = new FaultList();
      const { changes } = checkChanges(parseBody(body, most), ['body'], faults);
      faults.throwIfAny();
      const { configuration: sent, place } = applyChanges(current, changes, faults);
      const configuration = withOriginals(check(sent, faults, place), sent, current);
      const preparedMenu = toPreparedMenu({ configuration, sent }, soldOut);
      const { count, shown } = preparedMenu.warnings;
      return {
        preparedMenu: {
          ...preparedMenu,
          warnings: { count, shown: shown.map(place) },
          restated: statedStock(configuration, statingIn(changes)),
        },
        diff: diffConfigurations(current, configuration),
      };
    },
    /** What is to be published in several stores: the request, and its menu as it is kept. */
    requested: (body: Uint8Array): RequestedPublication => {
      const faults = new FaultList();
      const sent = parseBody(body, most);
      const { menu, ...wanted } = checkPrepared(sent, ['body'], faults);
      faults.throwIfAny();
      if (menu === undefined) return { wanted };
      const inMenu = (fault: Fault) => ({ ...fault, loc: ['body', 'menu', ...fault.loc.slice(1)] });
      return { wanted, content: packContent(check(menu, faults, inMenu)) };
    },
    /** The source as it is to be published in a store that keeps some fields of its own. */
    retargeted: (source: MenuConfiguration, current: MenuConfiguration, keep: readonly KeptField[]) => {
      const sent = keepFields(source, current, keep);
      const configuration = check(sent);
      const preparedMenu = toPreparedMenu({ configuration, sent }, NOTHING_SOLD_OUT);
      const isKept = keep.includes('in_stock');
      return {
        preparedMenu: isKept
          ? { ...preparedMenu, restated: statedStock(configuration, missingFrom(current)) }
          : preparedMenu,
        counts: countDifferences(diffConfigurations(current, configuration)),
      };
    },
  };
}

function packContent(configuration: MenuConfiguration): Buffer {
  return gzipSync(JSON.stringify(configuration), { level: STORED_LEVEL });
}

/** Entities that no change has touched are those of before, and are not compared again. */
function withOriginals(
  checked: MenuConfiguration,
  sent: ChangedMenu['configuration'],
  current: MenuConfiguration,
): MenuConfiguration {
  const lists = KINDS.flatMap((kind) => {
    const list = LIST_OF[kind];
    const originals = new Set<unknown>(current[list]);
    const entities: readonly unknown[] | undefined = checked[list];
    return entities === undefined
      ? []
      : [[list, entities.map((one, i) => (originals.has(sent[list]?.[i]) ? sent[list]?.[i] : one))]];
  });
  return { ...checked, ...(Object.fromEntries(lists) as Partial<MenuConfiguration>) };
}

type Named = { readonly name?: MultilingualText; readonly description?: MultilingualText };

/**
 * One text for all configurations that are equal: fields stand in the order of the shape already, so only the maps,
 * whose keys have no order, are sorted. Lists keep theirs.
 */
export function canonicalText(configuration: MenuConfiguration): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(configuration).map(([list, entities]) => [
        list,
        (entities as Named[]).map(withSortedMaps),
      ]),
    ),
  );
}

function withSortedMaps<T extends Named>(entity: T): T {
  const { name, description } = entity;
  if (isSorted(name) && isSorted(description)) return entity;
  return {
    ...entity,
    ...(name === undefined ? {} : { name: sorted(name) }),
    ...(description === undefined ? {} : { description: sorted(description) }),
  };
}

function isSorted(text: MultilingualText | undefined): boolean {
  const keys = text === undefined ? [] : Object.keys(text.translations);
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key);
}

function sorted({ translations }: MultilingualText): MultilingualText {
  return {
    translations: Object.fromEntries(Object.entries(translations).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function externalIdsOf(configuration: MenuConfiguration) {
  return byKind((kind) => entitiesOf(configuration, kind).map(({ external_id }) => external_id));
}

/** Whether the entity counts as one that states `in_stock`, where it does. */
type States = (kind: Kind, externalId: string) => boolean;

function statedStock(configuration: MenuConfiguration, states: States = () => true): StatedStock {
  const offsets = offsetsByKind(configuration);
  const stating = (inStock: boolean) =>
    (['item', 'modifier_item'] as const).flatMap((kind) =>
      entitiesOf(configuration, kind).flatMap((entity, position) =>
        entity.in_stock === inStock && states(kind, entity.external_id) ? [offsets[kind] + position] : [],
      ),
    );
  return {
    statedInStock: Uint32Array.from(stating(true)),
    statedOutOfStock: Uint32Array.from(stating(false)),
  };
}

/** What a change leaves alone keeps its mark. */
function statingIn(changes: readonly MenuChange[]): States {
  const stated = byKind(
    (kind) =>
      new Set(
        changes.flatMap((change) =>
          change.kind === kind && memberOf(change.set, 'in_stock') !== undefined ? [change.external_id] : [],
        ),
      ),
  );
  return (kind, externalId) => stated[kind].has(externalId);
}

/** What the store keeps of its own stock includes the marks. */
function missingFrom(current: MenuConfiguration): States {
  const own = byKind((kind) => new Set(entitiesOf(current, kind).map(({ external_id }) => external_id)));
  return (kind, externalId) => !own[kind].has(externalId);
}

function sha256(data: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest();
}
