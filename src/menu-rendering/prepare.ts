import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { parseBody } from '../domain/json.js';
import { canonicalText } from '../domain/menu/canonical.js';
import { compileConfigurationCheck } from '../domain/menu/checks.js';
import { entityLimits } from '../domain/menu/entity-limits.js';
import { byKind, countEntities, entitiesOf, offsetsByKind } from '../domain/menu/numbering.js';
import type { NewPublication } from '../domain/menu/publication.js';
import type { MenuConfiguration } from '../domain/menu/shapes.js';
import { refuseTreeOver } from '../domain/menu/tree-limit.js';
import type { ThreadSettings } from './jobs.js';
import { at, measure, rootOf } from './pieces.js';
import { treePieces } from './tree.js';

/** Stored once and read rarely: the quick level already takes nine tenths off a menu. */
const STORED_LEVEL = 4;

/** Checks a posted body in full and brings it into the form in which it is kept. */
export function compilePrepare({ limits }: ThreadSettings): (body: Uint8Array) => NewPublication {
  const check = compileConfigurationCheck(entityLimits(limits));
  return (body) => {
    const configuration = check(parseBody(body, { maxDepth: limits.jsonDepth }));
    // No id is shorter than one digit, so this is the least the tree can come to.
    const pieces = treePieces({ configuration, ids: [], marks: new Map() });
    const size = measure(pieces);
    const treeBytes = at(size.bytes, rootOf(pieces));
    refuseTreeOver(limits.treeBytes, treeBytes);

    const keys = Buffer.from(JSON.stringify(externalIds(configuration)));
    return {
      content: gzipSync(JSON.stringify(configuration), { level: STORED_LEVEL }),
      contentHash: sha256(canonicalText(configuration)),
      keys,
      keysHash: sha256(keys),
      counts: countEntities(configuration),
      statedIn: numbersStating(configuration, true),
      statedOut: numbersStating(configuration, false),
      treeBytes,
      treeEntities: size.count - 1,
    };
  };
}

function externalIds(configuration: MenuConfiguration) {
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
