import { Type, type Static, type TUnsafe } from '../../support/shape/type.js';
import { exampleIds } from '../../support/example-ids.js';
import { inside, reportError, reportValueError } from '../../support/error-details.js';
import { Datetime, MapOf, NamedShape, OneOf } from '../../support/shape/common-shapes.js';
import { withRule } from '../../support/shape/compile-shape.js';
import { RATE } from './convert.js';
import { KEPT_FIELDS } from './keep.js';

const MOST_STORES = 200;
const Version = (options: object = {}) => Type.Integer({ minimum: 0, ...options });

/** What is to be published where; `menu` is the shape of a configuration, which is checked apart. */
export function publicationCreate(menu: TUnsafe<Record<string, unknown>>) {
  return withRule(
    NamedShape('MenuPublicationCreate', {
      from: Type.Optional(
        Type.Object({
          store_id: Type.String({ examples: [exampleIds.store] }),
          version: Type.Optional(Version({ minimum: 1, description: 'Default: the current version' })),
        }),
      ),
      menu: Type.Optional(menu),
      store_ids: Type.Array(Type.String(), { minItems: 1, maxItems: MOST_STORES }),
      keep: Type.Optional(
        Type.Array(OneOf(KEPT_FIELDS), {
          maxItems: KEPT_FIELDS.length,
          description: 'Fields that stay as they are in every entity that the store already has',
        }),
      ),
      convert: Type.Optional(
        Type.Object(
          {
            rate: withRule(
              Type.String({
                description: "Units of the store's currency for one of the menu's",
                examples: ['162.35'],
              }),
              (rate, visit) => {
                if (!RATE.test(rate) || Number(rate) === 0)
                  reportValueError(visit, 'rate should be a decimal number above 0, such as 162.35', rate);
              },
            ),
          },
          { description: 'For stores of another currency. Each amount is rounded half up.' },
        ),
      ),
      at: Type.Optional(Datetime({ description: 'Within 366 days. Default: at once' })),
      label: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      expect: Type.Optional(
        MapOf(Version(), {
          maxProperties: MOST_STORES,
          description: 'By store: the version that you have seen; another one is left alone',
        }),
      ),
    }),
    ({ from, menu: given }, visit) => {
      if (from === undefined && given === undefined)
        inside(visit, 'from', () => reportError(visit, 'missing', 'Field required'));
      else if (from !== undefined && given !== undefined)
        reportValueError(visit, 'state either from or menu');
    },
  );
}

export type PublicationCreate = Omit<Static<ReturnType<typeof publicationCreate>>, 'menu'>;

export const STATUSES = ['done', 'scheduled', 'running', 'cancelled'] as const;
export type PublicationStatus = (typeof STATUSES)[number];

const RESULTS = ['published', 'unchanged', 'refused', 'changed_since', 'gone'] as const;

const PublicationStore = NamedShape('MenuPublicationStore', {
  store_id: Type.String(),
  result: Type.Optional(OneOf(RESULTS, { description: 'Absent until it was its turn' })),
  version: Type.Optional(Type.Integer({ description: 'The current version afterwards' })),
  from_version: Type.Optional(Type.Integer({ description: 'The current version before' })),
  counts: Type.Optional(
    Type.Object(
      { added: Type.Integer(), removed: Type.Integer(), changed: Type.Integer() },
      { description: 'Entities, of all kinds' },
    ),
  ),
  detail: Type.Optional(Type.String({ description: 'Why it was not published' })),
});

export const MenuPublication = NamedShape('MenuPublication', {
  id: Type.Optional(Type.String({ description: 'Absent in a dry run' })),
  status: OneOf(STATUSES),
  at: Type.Optional(Datetime()),
  late_by_seconds: Type.Optional(
    Type.Integer({ description: 'How much later than `at` it began, if the service was down or busy' }),
  ),
  label: Type.Optional(Type.String()),
  keep: Type.Optional(Type.Array(OneOf(KEPT_FIELDS))),
  created_at: Type.Optional(Datetime()),
  key_id: Type.Optional(Type.String()),
  stores: Type.Array(PublicationStore),
});
export type MenuPublication = Static<typeof MenuPublication>;
export type PublicationStore = Static<typeof PublicationStore>;
