import { Type, type Static } from '../support/shape/type.js';
import { scopeOf } from '../access/principal.js';
import { json } from '../http/response.js';
import { route, type Route } from '../http/route.js';
import { countPrintersInTrouble } from '../printers/printers.sql.js';
import type { StorePace } from '../pace/settings.js';
import type { Queryable } from '../postgres/database.js';
import { exampleIds } from '../support/example-ids.js';
import { Datetime, Limit, MultilingualText, NamedShape, OneOf } from '../support/shape/common-shapes.js';
import { FIRST_ID, IdCursor } from '../support/shape/id-cursor.js';
import { findNamedStores, findStores, type NamedStore } from '../tenants/stores.sql.js';
import { listFailingWebhooks, readOrderFacts, type OrderFacts } from './overview.sql.js';

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [0] });

const StoreOverview = NamedShape('StoreOverview', {
  store_id: Type.String({ examples: [exampleIds.store] }),
  name: MultilingualText,
  state: OneOf(['open', 'busy', 'paused', 'closed']),
  waiting: Count('Orders that nobody has accepted or rejected'),
  late: Count('Orders that should have been ready in the last 8 days and are not; at most 1,000'),
  oldest_waiting_at: Type.Optional(Datetime()),
  last_order_at: Type.Optional(Datetime()),
  menu_version: Type.Integer({ examples: [3] }),
  webhooks_failing: Count('Webhooks of the store whose last delivery failed'),
  printers_in_trouble: Count('Printers of the store that do not print'),
});
type StoreOverview = Static<typeof StoreOverview>;

const Overview = NamedShape('Overview', {
  stores: Type.Array(StoreOverview),
  cursor: Type.String({ description: 'Where to continue' }),
  has_more: Type.Boolean(),
});

const NEEDS = {
  attention: needsAttention,
  paused: ({ state }) => state === 'paused',
  failing: ({ webhooks_failing: webhooks, printers_in_trouble: printers }) => webhooks > 0 || printers > 0,
} satisfies Record<string, (store: StoreOverview) => boolean>;
const NEED_NAMES = Object.keys(NEEDS) as (keyof typeof NEEDS)[];

function needsAttention({ waiting, late }: Pick<StoreOverview, 'waiting' | 'late'>): boolean {
  return waiting > 0 || late > 0;
}

/** With a filter, a page looks at so many stores and no more, so that it takes as long in any installation. */
const LOOKED_AT = 200;

/** Which store needs somebody. */
export function overviewRoutes(storePace: StorePace): Route[] {
  return [
    route('GET', '/manage/v1/overview', 'get_overview', {
      tag: 'Stores',
      summary: 'See which stores need somebody',
      description:
        `The stores of the key in the order of their ids. A page with \`need\` looks at ${LOOKED_AT} stores at ` +
        'most, so it may be empty although there are more: continue from its cursor while `has_more`.',
      permission: 'read',
      query: Type.Object({
        need: Type.Optional(
          OneOf(NEED_NAMES, { description: 'Only stores that need this', examples: ['paused'] }),
        ),
        merchant_id: Type.Optional(
          Type.String({ description: 'Only stores of this merchant', examples: [exampleIds.merchant] }),
        ),
        cursor: IdCursor,
        limit: Limit,
      }),
      hasLargeResponse: true,
      responses: [{ status: 200, description: 'The stores', schema: Overview }],
      handler: async ({ db, principal, query: { need, merchant_id: wanted, cursor, limit } }) => {
        const most = need === undefined ? limit : LOOKED_AT;
        const found = await findNamedStores(db, scopeOf(principal, wanted), { after: cursor }, most + 1);
        const looked = found.slice(0, most);
        const facts = await readOrderFacts(db, looked.map(keyOf));
        const factsOf = (store: NamedStore) => facts.get(store.storeKey) ?? NO_ORDERS;
        // Of stores whose orders show that they are not wanted, nothing else is read.
        const candidates =
          need === 'attention'
            ? looked.filter((store) => needsAttention(factsOf(store))).slice(0, limit + 1)
            : looked;
        const described = await describeStores(db, storePace, candidates, factsOf);
        const wantedOnes = need === undefined ? described : described.filter(NEEDS[need]);
        const stores = wantedOnes.slice(0, limit);
        const isCut = wantedOnes.length > limit;
        const last = isCut ? stores.at(-1)?.store_id : looked.at(-1)?.id;
        return json({ stores, cursor: last ?? cursor ?? FIRST_ID, has_more: isCut || found.length > most });
      },
    }),
  ];
}

const NO_ORDERS: OrderFacts = { waiting: 0, late: 0, oldest_waiting_at: null, last_order_at: null };

async function describeStores(
  db: Queryable,
  storePace: StorePace,
  candidates: readonly NamedStore[],
  factsOf: (store: NamedStore) => OrderFacts,
): Promise<StoreOverview[]> {
  const ids = candidates.map(({ id }) => id);
  const found = await findStores(db, ids, {});
  const stores = ids.flatMap((id) => found.get(id) ?? []);
  const failing = await listFailingWebhooks(db, [...new Set(stores.map(({ merchantId }) => merchantId))]);
  const printers = await countPrintersInTrouble(db, stores.map(keyOf));
  await storePace.load(db, stores);
  const now = Date.now();
  const described: StoreOverview[] = [];
  for (const store of stores) {
    const { id, storeKey, merchantId } = store;
    const { waiting, late, oldest_waiting_at: oldest, last_order_at: last } = factsOf(store);
    const covering = failing.filter(
      (webhook) => webhook.merchantId === merchantId && (webhook.storeIds?.includes(id) ?? true),
    );
    described.push({
      store_id: id,
      name: JSON.parse(store.name) as StoreOverview['name'],
      state: (await storePace.emptyPaceOf(db, store, now)).state().state,
      waiting,
      late,
      ...(oldest === null ? {} : { oldest_waiting_at: oldest.toISOString() }),
      ...(last === null ? {} : { last_order_at: last.toISOString() }),
      menu_version: store.menu.version,
      webhooks_failing: covering.length,
      printers_in_trouble: printers.get(storeKey) ?? 0,
    });
  }
  return described;
}

function keyOf({ storeKey }: NamedStore): number {
  return storeKey;
}
