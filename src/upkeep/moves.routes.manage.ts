import { Type, type Static } from '../support/shape/type.js';
import { problem } from '../http/errors.js';
import { json, NDJSON, noContent } from '../http/response.js';
import { route, type Route } from '../http/route.js';
import type { Queryable } from '../postgres/database.js';
import { exampleIds } from '../support/example-ids.js';
import { requireFound } from '../support/errors.js';
import { valueError } from '../support/error-details.js';
import { Datetime, NamedShape, OneOf } from '../support/shape/common-shapes.js';
import { BackupLine, ChangesReport, checkPosition, Position } from './archive.js';
import type { Backups } from './backup.js';
import { BACKUP_TABLES } from './backup.sql.js';
import { changeMove, stateOf } from './moves.js';
import { readMove } from './moves.sql.js';
import { ofMerchant, respondWith } from './routes.manage.js';

const Until = (description: string) => Datetime({ description, examples: ['2030-01-01T12:00:30.000Z'] });
const To = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'The address where the merchant is now',
  examples: ['https://cell-7.example'],
});

const MerchantMove = NamedShape('MerchantMove', {
  merchant_id: Type.String({ examples: [exampleIds.merchant] }),
  state: OneOf(['here', 'refusing', 'arriving', 'moved'], {
    description:
      '`here`: in use. `refusing`: about to leave; changes are 503. `arriving`: being copied to this installation; ' +
      'everything is 503. `moved`: everything is 421.',
    examples: ['here'],
  }),
  until: Type.Optional(Until('When a refusal ends by itself')),
  to: Type.Optional(To),
  position: Position,
});

const MerchantMoveChange = NamedShape('MerchantMoveChange', {
  state: OneOf(['here', 'refusing', 'moved'], { examples: ['here'] }),
  seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 600,
      description: '`refusing`: after how long it ends by itself. Default: 30',
      examples: [30],
    }),
  ),
  to: Type.Optional(To),
  until: Type.Optional(Until('`moved`: the `until` of the refusal')),
});

const USUAL_SECONDS = 30;
const FROM_THE_START = '0:0';
const CHANGES_EXAMPLE = { format: 'comanda-changes', number: 1, schema: 36, version: '0.2.0' };

/** A merchant that moves to another installation while both run; `comanda merchants move` calls these in order. */
export function moveRoutes(backups: Backups): Route[] {
  const show = async (db: Queryable, id: string): Promise<Static<typeof MerchantMove>> => {
    const move = requireFound(await readMove(db, id), 'Merchant');
    const state = stateOf(move.moving);
    return {
      merchant_id: id,
      state,
      ...(move.until === null ? {} : { until: move.until.toISOString() }),
      ...(state === 'moved' ? { to: move.moving ?? '' } : {}),
      position: move.position ?? (await backups.readPosition()),
    };
  };
  return [
    route('GET', '/manage/v1/merchants/{merchant_id}/move', 'get_merchant_move', {
      ...ofMerchant,
      summary: 'Get where a merchant is on its way',
      description: 'Whether the merchant is in use here, leaves, arrives or has moved.',
      responses: [{ status: 200, description: 'The state', schema: MerchantMove }],
      handler: async ({ db, params }) => json(await show(db, params.merchant_id)),
    }),
    route('PATCH', '/manage/v1/merchants/{merchant_id}/move', 'change_merchant_move', {
      ...ofMerchant,
      summary: 'Move a merchant on',
      description:
        '`refusing` refuses its changes with 503 and returns when those under way have ended; it ends by itself after `seconds`. ' +
        '`moved`, with the `until` of the refusal, makes everything 421 and names `to`. `here` puts the merchant into use: after ' +
        'it has arrived, when a move is given up, or when the new place has lost it.',
      body: { kind: 'json', schema: MerchantMoveChange, example: { state: 'here' } },
      responses: [
        { status: 200, description: 'The state', schema: MerchantMove },
        problem(409, 'Another move is under way, or this does not follow'),
      ],
      handler: async ({ db, params: { merchant_id: id }, body }) => {
        const { state, seconds = USUAL_SECONDS, until } = body;
        const to = state === 'moved' ? toOrigin(body.to) : undefined;
        await changeMove(db, id, { state, seconds, to, until: until && new Date(until).toISOString() });
        return json(await show(db, id));
      },
    }),
    route('DELETE', '/manage/v1/merchants/{merchant_id}/move', 'give_up_merchant_move', {
      ...ofMerchant,
      summary: 'Remove an arriving merchant',
      description: 'Removes a copy that was never put into use. The merchant can be moved here again.',
      responses: [
        { status: 204, description: 'The copy is removed' },
        problem(409, 'The merchant is not arriving'),
      ],
      handler: async ({ by, params: { merchant_id: id } }) => {
        await backups.removeArriving(id, by);
        return noContent();
      },
    }),
    route('GET', '/manage/v1/merchants/{merchant_id}/move/changes', 'list_merchant_changes', {
      ...ofMerchant,
      summary: 'Get what has changed of a merchant',
      description:
        'As lines of an archive: small tables as a whole, and of large ones the rows written since a position. The last line has ' +
        'a digest of each table.',
      query: Type.Object({
        since: Type.Optional(Position),
        whole: Type.Optional(
          Type.String({
            description: 'Names of more tables, with commas',
            maxLength: 500,
            examples: ['events'],
          }),
        ),
      }),
      isHeldOpen: true,
      responses: [{ status: 200, description: 'The changes', schema: BackupLine, contentType: NDJSON }],
      handler: ({ request, params: { merchant_id: id }, query: { since = FROM_THE_START, whole = '' } }) => {
        const tables = whole.split(',').filter((name) => BACKUP_TABLES.some((table) => table.name === name));
        const changes = { since: checkPosition('since', since), whole: tables };
        return respondWith(request, `changes-${id}.ndjson`, (out) => backups.write(out, id, changes));
      },
    }),
    route('POST', '/manage/v1/merchants/{merchant_id}/move/changes', 'apply_merchant_changes', {
      ...ofMerchant,
      summary: 'Bring an arriving merchant up to date',
      description: 'All or nothing, and the same when repeated.',
      body: { kind: 'stream', contentType: NDJSON, schema: BackupLine, example: CHANGES_EXAMPLE },
      responses: [
        {
          status: 200,
          description: 'Number of rows, and the tables that still differ',
          schema: ChangesReport,
        },
        problem(409, 'The merchant is not arriving, or later changes are here'),
      ],
      handler: async ({ body, params }) => json(await backups.applyChanges(body, params.merchant_id)),
    }),
  ];
}

function toOrigin(to: string | undefined): string {
  const url = to !== undefined && URL.canParse(to) ? new URL(to) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw valueError(
      ['body', 'to'],
      'to should be the address where the merchant is now, such as https://cell-7.example',
    );
  return url.origin;
}
