import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { parseBody } from '../../support/json.js';
import type { Limits } from '../../support/limits.js';
import { ErrorList, type ErrorDetail } from '../../support/error-details.js';
import { compileBody } from '../../support/shape/compile-shape.js';
import { applyChanges, type ChangedMenu } from './changes.js';
import { compileConfigurationCheck } from './check-configuration.js';
import { countDifferences, diffConfigurations, type MenuDiff } from '../versions/diff.js';
import { byKind, countEntities, entitiesOf, KINDS, LIST_OF } from '../kinds.js';
import { canonicalText } from './canonical-text.js';
import type { PreparedMenu, Warnings } from './prepared-menu.js';
import { missingFrom, statedStock, statingIn } from './stated-stock.js';
import { entityLimits, MenuChanges, type MenuConfiguration } from '../shapes.js';
import { findWarnings, type SoldOut } from './warnings.js';
import { FreeFormMap } from '../../support/shape/common-shapes.js';
import { convertPrices, refuseNewPrices, type CurrencyChange } from '../rollouts/convert.js';
import { keepFields, type KeptField } from '../rollouts/keep.js';
import { publicationCreate, type PublicationCreate } from '../rollouts/shapes.js';
import { draftTree, type TreeDraft } from '../tree/tree.js';
import { leastTreeSize, refuseLargeTree } from '../tree/size.js';
import { standsForOf, stockOfPosted } from '../tree/stock-texts.js';

/** Stored once and read rarely. The next level takes twice as long, for a twentieth of the bytes. */
const STORED_LEVEL = 3;

/** No menu has shorter values on average; a body of nothing but braces would take gigabytes and many seconds to parse. */
const BYTES_A_VALUE = 8;

export interface RequestedPublication {
  readonly wanted: PublicationCreate;
  /** Absent where the menu is that of a store. */
  readonly content?: Uint8Array;
}

/** A prepared menu, with what a person wants to know before it is published. */
export interface Review {
  readonly preparedMenu: PreparedMenu;
  readonly warnings: Warnings;
  /** What it changes. */
  readonly diff: MenuDiff;
}

/** Checks in full what is to be published, and brings it into the form in which it is kept. */
export function compilePrepare(limits: Limits) {
  const most = { maxDepth: limits.jsonDepth, maxValues: limits.menuBytes / BYTES_A_VALUE };
  const check = compileConfigurationCheck(entityLimits(limits));
  const checkChanges = compileBody(MenuChanges, 'refused');
  const checkRequest = compileBody(publicationCreate(FreeFormMap()), 'refused');

  const prepare = (configuration: MenuConfiguration): PreparedMenu & { readonly tree: TreeDraft } => {
    const counts = countEntities(configuration);
    const stated = statedStock(configuration);
    const standsFor = standsForOf(configuration);
    const tree = draftTree(configuration);
    const treeSize = leastTreeSize(tree, stockOfPosted({ counts, standsFor, ...stated }));
    refuseLargeTree(treeSize, { mostBytes: limits.treeBytes, longestPrepType: 0 });

    const externalIds = Buffer.from(JSON.stringify(externalIdsOf(configuration)));
    const text = JSON.stringify(configuration);
    return {
      content: pack(text),
      contentHash: sha256(canonicalText(configuration, text)),
      externalIds,
      externalIdsHash: sha256(externalIds),
      counts,
      standsFor,
      ...stated,
      ...treeSize,
      tree,
    };
  };
  const prepareToKeep = (configuration: MenuConfiguration): PreparedMenu => {
    const { tree: _, ...preparedMenu } = prepare(configuration);
    return preparedMenu;
  };

  return {
    /** With the tree, which is the response to whoever posted it. */
    posted: (body: Uint8Array) => prepare(check(parseBody(body, most))),
    reviewed: (current: MenuConfiguration, body: Uint8Array, soldOut: SoldOut): Review => {
      const sent = parseBody(body, most);
      const configuration = check(sent);
      return {
        preparedMenu: prepareToKeep(configuration),
        warnings: findWarnings({ configuration, current, soldOut, body: sent }),
        diff: diffConfigurations(current, configuration),
      };
    },
    changed: (current: MenuConfiguration, body: Uint8Array, soldOut: SoldOut): Review => {
      const { changes } = checkChanges(parseBody(body, most));
      const errors = new ErrorList();
      const { configuration: sent, relocate } = applyChanges(current, changes, errors);
      const configuration = withOriginals(check(sent, errors, relocate), sent, current);
      const { count, shown } = findWarnings({ configuration, current, soldOut, body: sent });
      return {
        preparedMenu: {
          ...prepareToKeep(configuration),
          restated: statedStock(configuration, statingIn(changes)),
        },
        warnings: { count, shown: shown.map(relocate) },
        diff: diffConfigurations(current, configuration),
      };
    },
    /** What is to be published in several stores: the request, and its menu as it is kept. */
    requested: (body: Uint8Array): RequestedPublication => {
      const { menu, ...wanted } = checkRequest(parseBody(body, most));
      if (menu === undefined) return { wanted };
      const inMenu = (error: ErrorDetail) => ({ ...error, loc: ['body', 'menu', ...error.loc.slice(1)] });
      return { wanted, content: pack(JSON.stringify(check(menu, new ErrorList(), inMenu))) };
    },
    /** The source as it is to be published in a store that keeps some fields of its own. */
    retargeted: (
      source: MenuConfiguration,
      current: MenuConfiguration,
      keep: readonly KeptField[],
      currencyChange?: CurrencyChange,
    ) => {
      if (currencyChange !== undefined && currencyChange.rate === undefined)
        refuseNewPrices(source, current, keep, currencyChange);
      const converted = currencyChange?.rate === undefined ? source : convertPrices(source, currencyChange);
      const configuration = check(keepFields(converted, current, keep));
      const preparedMenu = prepareToKeep(configuration);
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

function pack(text: string): Buffer {
  return gzipSync(text, { level: STORED_LEVEL });
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

function externalIdsOf(configuration: MenuConfiguration) {
  return byKind((kind) => entitiesOf(configuration, kind).map(({ external_id }) => external_id));
}

function sha256(data: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest();
}
