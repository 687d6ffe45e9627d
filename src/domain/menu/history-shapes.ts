import Type, { type TProperties } from 'typebox';
import { Datetime, FreeFormMap, OneOf } from '../shape/common-shapes.js';
import { KINDS, LIST_OF } from './kinds.js';
import { REASONS } from './orderable.js';
import { MenuTree } from './tree-shapes.js';
import { WARNING_TYPES } from './warnings/warning.js';

/** Versions, differences, checks and availability on the wire. */

const perList = <S extends TProperties[string]>(schema: S) =>
  Object.fromEntries(KINDS.map((kind) => [LIST_OF[kind], schema]));

const MenuCounts = Type.Object(perList(Type.Integer()), { $id: 'MenuCounts' });

export const MenuVersion = Type.Object(
  {
    version: Type.Integer({ examples: [3] }),
    published_at: Datetime(),
    key_id: Type.String({ description: 'The key that published it' }),
    restored_from: Type.Optional(Type.Integer({ description: 'The version that was published again' })),
    content_hash: Type.String({ description: 'Equal hashes mean equal configurations' }),
    counts: MenuCounts,
  },
  { $id: 'MenuVersion' },
);

export const MenuVersionList = Type.Object(
  {
    current_version: Type.Integer({ description: '0 before the first publication' }),
    versions: Type.Array(MenuVersion),
  },
  { $id: 'MenuVersionList' },
);

const KindDiff = Type.Object(
  {
    added: Type.Array(Type.String(), { description: 'external_ids' }),
    removed: Type.Array(Type.String(), { description: 'external_ids' }),
    changed: Type.Array(
      Type.Object({
        external_id: Type.String(),
        fields: Type.Array(Type.String(), { examples: [['price', 'name.translations.en']] }),
      }),
    ),
    reordered: Type.Boolean({ description: 'Whether entities on both sides stand in another order' }),
  },
  { $id: 'KindDiff' },
);

const MenuDiff = Type.Object(perList(KindDiff), { $id: 'MenuDiff' });

export const MenuVersionDiff = Type.Object(
  { from: Type.Integer(), to: Type.Integer(), ...perList(KindDiff) },
  { $id: 'MenuVersionDiff' },
);

const MenuWarning = Type.Object(
  {
    loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
    msg: Type.String(),
    type: OneOf(WARNING_TYPES),
    ctx: Type.Optional(FreeFormMap()),
  },
  { $id: 'MenuWarning' },
);

export const MenuCheck = Type.Object(
  {
    current_version: Type.Integer(),
    is_current: Type.Boolean({ description: 'Whether this is what is published already' }),
    counts: MenuCounts,
    tree_bytes: Type.Integer({ description: 'The least that the tree comes to' }),
    warnings: Type.Array(MenuWarning, {
      description: 'What could be published and is probably not meant: the first 20 of each type',
    }),
    warning_count: Type.Integer({ description: 'How many there are, shown or not' }),
    diff: MenuDiff,
  },
  { $id: 'MenuCheck' },
);

export const MenuAvailability = Type.Object(
  {
    at: Datetime(),
    timezone: Type.String({ examples: ['Europe/Madrid'] }),
    menu_configuration: Type.Array(MenuTree),
    left_out: Type.Array(
      Type.Object({ kind: OneOf(['menu', 'item']), external_id: Type.String(), reason: OneOf(REASONS) }),
    ),
  },
  { $id: 'MenuAvailability' },
);
