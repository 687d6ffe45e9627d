import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parseBody } from '../../support/json.js';
import type { Limits } from '../../support/limits.js';
import { ErrorList, type ErrorDetail } from '../../support/error-details.js';
import { compileBody } from '../../support/shape/compile-shape.js';
import { applyChanges, type ChangedMenu } from './changes.js';
import { compileConfigurationCheck } from './check-configuration.js';
import { countDifferences, diffConfigurations, EMPTY_CONFIGURATION } from '../versions/diff.js';
import { byKind, countEntities, entitiesOf, KINDS, LIST_OF, mapEntities } from '../kinds.js';
import { canonicalText, hasSortedMaps } from './canonical-text.js';
import type { PreparedMenu } from './prepared-menu.js';
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

/** Stored once and read rarely. The next level takes half as long again, for a thirtieth of the bytes. */
const STORED_LEVEL = 2;

const PACKED_CHUNK = 64 * 1024;

/** No menu has shorter values on average; a body of nothing but braces would take gigabytes and many seconds to parse. */
const BYTES_A_VALUE = 8;

export interface RequestedPublication {
  readonly wanted: PublicationCreate;
  /** Absent where the menu is that of a store. */
  readonly content?: Uint8Array;
}

interface ReviewRequest {
  /** What is current; undefined or empty before the first publication. */
  readonly content: Uint8Array | undefined;
  readonly body: Uint8Array;
  readonly soldOut: SoldOut;
}

interface RetargetRequest {
  readonly content: Uint8Array;
  /** What the store has now; empty before the first publication. */
  readonly current: Uint8Array;
  readonly keep: readonly KeptField[];
  /** Absent where the store has the currency of the menu. */
  readonly currencyChange?: CurrencyChange | undefined;
}

/** Jobs that check in full what is to be published, and bring it into the form in which it is kept. */
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
    const text = Buffer.from(JSON.stringify(configuration));
    return {
      content: pack(text),
      contentHash: sha256(hasSortedMaps(configuration) ? text : canonicalText(configuration)),
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
    prepare: (body: Uint8Array) => prepare(check(parseBody(body, most))),
    /** Prepares a body, with what a person wants to know before it is published. */
    review: ({ content, body, soldOut }: ReviewRequest) => {
      const current = unpackContent(content);
      const sent = parseBody(body, most);
      const configuration = check(sent);
      return {
        preparedMenu: prepareToKeep(configuration),
        warnings: findWarnings({ configuration, current, soldOut, body: sent }),
        diff: diffText(current, configuration),
      };
    },
    /** The same of the current menu with the changes in the body. */
    change: ({ content, body, soldOut }: ReviewRequest) => {
      const current = unpackContent(content);
      const { changes } = checkChanges(parseBody(body, most));
      const errors = new ErrorList();
      const { configuration: sent, relocate } = applyChanges(current, changes, errors);
      const configuration = withOriginals(check(sent, errors, relocate), sent, current);
      const { count, shown } = findWarnings({ configuration, current, soldOut, body: sent });
      const restated = statedStock(configuration, statingIn(changes));
      return {
        preparedMenu: { ...prepareToKeep(configuration), restated },
        warnings: { count, shown: shown.map(relocate) },
        diff: diffText(current, configuration),
      };
    },
    /** What is to be published in several stores: the request, and its menu as it is kept. */
    publicationRequest: (body: Uint8Array): RequestedPublication => {
      const { menu, ...wanted } = checkRequest(parseBody(body, most));
      if (menu === undefined) return { wanted };
      const inMenu = (error: ErrorDetail) => ({ ...error, loc: ['body', 'menu', ...error.loc.slice(1)] });
      return { wanted, content: pack(JSON.stringify(check(menu, new ErrorList(), inMenu))) };
    },
    /** The menu as it is to be published in a store that keeps some fields of its own, and how much it changes there. */
    retarget: (request: RetargetRequest) => {
      const { keep, currencyChange } = request;
      const [source, current] = [unpackContent(request.content), unpackContent(request.current)];
      if (currencyChange !== undefined && currencyChange.rate === undefined)
        refuseNewPrices(source, current, keep, currencyChange);
      const converted = currencyChange?.rate === undefined ? source : convertPrices(source, currencyChange);
      const configuration = check(keepFields(converted, current, keep));
      const restated = keep.includes('in_stock')
        ? statedStock(configuration, missingFrom(current))
        : undefined;
      return {
        preparedMenu: { ...prepareToKeep(configuration), restated },
        counts: countDifferences(diffConfigurations(current, configuration)),
      };
    },
  };
}

export function unpackContent(content: Uint8Array | undefined): MenuConfiguration {
  if (content === undefined || content.length === 0) return EMPTY_CONFIGURATION;
  return JSON.parse(gunzipSync(content).toString()) as MenuConfiguration;
}

/** The difference is sent as it is, so it is JSON text. */
export function diffText(before: MenuConfiguration, after: MenuConfiguration): Uint8Array {
  return Buffer.from(JSON.stringify(diffConfigurations(before, after)));
}

function pack(text: string | Uint8Array): Buffer {
  return gzipSync(text, { level: STORED_LEVEL, chunkSize: PACKED_CHUNK });
}

/** Entities that no change has touched are those of before, and are not compared again. */
function withOriginals(
  checked: MenuConfiguration,
  sent: ChangedMenu['configuration'],
  current: MenuConfiguration,
): MenuConfiguration {
  const originals = new Set<unknown>(KINDS.flatMap((kind) => entitiesOf(current, kind)));
  return mapEntities(checked, (entity, kind, index) => {
    const posted = sent[LIST_OF[kind]]?.[index];
    return originals.has(posted) ? posted : entity;
  });
}

function externalIdsOf(configuration: MenuConfiguration) {
  return byKind((kind) => entitiesOf(configuration, kind).map(({ external_id }) => external_id));
}

function sha256(data: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest();
}
