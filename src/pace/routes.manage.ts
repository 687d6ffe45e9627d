import { hash } from 'node:crypto';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { jsonBytes, jsonText, matchesEtag, notModified, tagHeaders } from '../http/response.js';
import { describeTag, IfNoneMatch, route, storeRoute, type Route, type RouteRequest } from '../http/route.js';
import type { Queryable } from '../postgres/database.js';
import { Type } from '../support/shape/type.js';
import { refuseMoving } from '../access/moving.js';
import { scopeOf } from '../access/principal.js';
import { problem } from '../http/errors.js';
import { NotFound } from '../support/errors.js';
import { exampleIds } from '../support/example-ids.js';
import { valueError } from '../support/error-details.js';
import { findStores } from '../tenants/stores.sql.js';
import { StoreParams, TrialStoreParams } from '../tenants/routes.manage.js';
import { changeIntake, changeSettings, changeState, type StorePace } from './settings.js';
import type { KeptPace } from './pace.js';
import { Intake, IntakePatch, IntakeSettingsPatch } from './shapes.js';
import { NamedShape } from '../support/shape/common-shapes.js';

const { Tagged, notModifiedSpec } = describeTag('Changes with everything that the response shows');

const MOST_STORES = 200;

const IntakeOfStores = NamedShape('IntakeOfStores', {
  stores: Type.Array(NamedShape('StoreIntake', { store_id: Type.String(), ...Intake.properties })),
});

type StoreRequest = Pick<RouteRequest, 'db' | 'principal'> & { readonly store: RequestedStore };

/** What the kitchen takes: hours, pauses, capacity, and what is promised. */
export function intakeRoutes(storePace: StorePace): Route[] {
  const show = async (db: Queryable, store: RequestedStore) => {
    const { settingsText, revision } = await storePace.of(db, store);
    const now = JSON.stringify(await (await storePace.paceOf(db, store, Date.now())).describe());
    return {
      text: `${now.slice(0, -1)},"settings":${settingsText},"revision":${revision}}`,
      tag: `W/"${store.storeKey}.${revision}.${hash('sha256', now, 'hex').slice(0, 16)}"`,
    };
  };
  const change = async ({ db, store, principal }: StoreRequest, to: (intake: KeptPace) => KeptPace) => {
    const { revision } = await db.transaction((tx) => changeIntake(tx, store, principal.id, to));
    return jsonText((await show(db, { ...store, intakeRevision: revision })).text);
  };
  const responses = [{ status: 200, description: 'The intake as it is now', schema: Intake }];
  const common = {
    tag: 'Intake',
    params: TrialStoreParams,
    responses,
  } as const;
  return [
    storeRoute('GET', '/manage/v1/stores/{store_id}/intake', 'get_intake', {
      tag: 'Intake',
      summary: 'Get what the kitchen takes',
      description:
        'Whether the store is open, busy, paused or closed, what an order is promised now, and how full the next slots are.',
      permission: 'kitchen:read',
      params: StoreParams,
      headers: IfNoneMatch,
      responses: [
        { status: 200, description: 'The intake', schema: Intake, headers: Tagged },
        notModifiedSpec,
      ],
      handler: async ({ db, store, request }) => {
        const { text, tag } = await show(db, store);
        const headers = tagHeaders(tag, 'no-store');
        if (matchesEtag(request.headers['if-none-match'], tag)) return notModified(headers);
        return jsonBytes(Buffer.from(text), 'identity', headers);
      },
    }),
    route('GET', '/manage/v1/intake', 'get_intake_of_stores', {
      tag: 'Intake',
      summary: 'Get what the kitchens of several stores take',
      description: `Of up to ${MOST_STORES} stores, in the order in which they are named.`,
      permission: 'kitchen:read',
      query: Type.Object({
        store_ids: Type.String({
          description: 'Ids of stores, separated by commas',
          examples: [exampleIds.store],
        }),
      }),
      hasLargeResponse: true,
      responses: [
        { status: 200, description: 'The intake of each', schema: IntakeOfStores },
        problem(404, 'One of the stores does not exist, or the key may not see it'),
      ],
      handler: async ({ db, principal, query: { store_ids: listed } }) => {
        const ids = [...new Set(listed.split(',').map((id) => id.trim()))];
        if (ids.length > MOST_STORES)
          throw valueError(['query', 'store_ids'], `at most ${MOST_STORES} stores`);
        const found = await findStores(db, ids, scopeOf(principal));
        if (found.size < ids.length) throw new NotFound('Store');
        const stores = ids.flatMap((id) => found.get(id) ?? []);
        for (const { moving } of stores) refuseMoving(moving, false);
        await storePace.load(db, stores);
        const texts: string[] = [];
        for (const store of stores)
          texts.push(`{"store_id":"${store.id}",${(await show(db, store)).text.slice(1)}`);
        return jsonText(`{"stores":[${texts.join()}]}`);
      },
    }),
    storeRoute('PATCH', '/manage/v1/stores/{store_id}/intake', 'change_intake', {
      ...common,
      summary: 'Pause, resume, or say how busy it is',
      description:
        'Omitted members stay as they are; null resumes, or ends being busy. Without `until` it ends at the next 06:00 on the ' +
        'clock of the store, so nothing stays paused because someone forgot.',
      permission: 'orders:write',
      body: { kind: 'json', schema: IntakePatch, example: { pause: null, busy: { extra_minutes: 20 } } },
      handler: (call) =>
        change(call, (intake) => changeState(intake, call.body, call.store.timezone ?? 'UTC', Date.now())),
    }),
    storeRoute('PATCH', '/manage/v1/stores/{store_id}/intake/settings', 'change_intake_settings', {
      ...common,
      summary: 'Set hours, special days and capacity',
      description:
        'Omitted fields stay as they are; a list replaces the list before; null resets a field to its default, and ends the capacity.',
      permission: 'store:write',
      body: {
        kind: 'json',
        schema: IntakeSettingsPatch,
        example: {
          prep_minutes: 20,
          special_days: [{ date: '2026-12-25', closed: true, note: 'Christmas' }],
          capacity: { slot_minutes: 15, orders: 12 },
        },
      },
      handler: (call) => change(call, (intake) => changeSettings(intake, call.body)),
    }),
  ];
}
