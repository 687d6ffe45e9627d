import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { parseBody } from '../domain/json.js';
import type { Limits } from '../domain/limits.js';
import { compileConfigurationCheck } from '../domain/menu/check-configuration.js';
import { byKind, countEntities, entitiesOf, offsetsByKind } from '../domain/menu/kinds.js';
import type { Publication } from '../domain/menu/publication.js';
import { entityLimits, type MenuConfiguration } from '../domain/menu/shapes.js';
import { findWarnings } from '../domain/menu/warnings/find-warnings.js';
import type { MultilingualText } from '../domain/shape/common-shapes.js';
import { leastTreeSize, refuseLargeTree } from './tree.js';

/** Stored once and read rarely: the quick level already takes nine tenths off a menu. */
const STORED_LEVEL = 4;

/** No menu has shorter values on average; a body of nothing but braces would take gigabytes and many seconds to parse. */
const BYTES_A_VALUE = 8;

/** Checks a posted body in full and brings it into the form in which it is kept. */
export function compilePrepare(
  limits: Limits,
): (body: Uint8Array, soldOut?: readonly string[]) => Publication {
  const most = { maxDepth: limits.jsonDepth, maxValues: limits.menuBytes / BYTES_A_VALUE };
  const check = compileConfigurationCheck(entityLimits(limits));
  return (body, soldOut = []) => {
    const sent = parseBody(body, most);
    const configuration = check(sent);
    const treeSize = leastTreeSize(configuration);
    refuseLargeTree(treeSize, { mostBytes: limits.treeBytes, longestPrepType: 0 });

    const externalIds = Buffer.from(JSON.stringify(externalIdsOf(configuration)));
    return {
      content: gzipSync(JSON.stringify(configuration), { level: STORED_LEVEL }),
      contentHash: sha256(canonicalText(configuration)),
      externalIds,
      warnings: findWarnings({ configuration, soldOut: new Set(soldOut), body: sent }),
      externalIdsHash: sha256(externalIds),
      counts: countEntities(configuration),
      statedIn: numbersStating(configuration, true),
      statedOut: numbersStating(configuration, false),
      ...treeSize,
    };
  };
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
  return keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') < key);
}

function sorted({ translations }: MultilingualText): MultilingualText {
  return {
    translations: Object.fromEntries(Object.entries(translations).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function externalIdsOf(configuration: MenuConfiguration) {
  return byKind((kind) => entitiesOf(configuration, kind).map(({ external_id }) => external_id));
}

function numbersStating(configuration: MenuConfiguration, inStock: boolean): Uint32Array {
  const offsets = offsetsByKind(configuration);
  const numbers = (['item', 'modifier_item'] as const).flatMap((kind) =>
    entitiesOf(configuration, kind).flatMap((entity, position) =>
      entity.in_stock === inStock ? [offsets[kind] + position] : [],
    ),
  );
  return Uint32Array.from(numbers);
}

function sha256(data: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest();
}
