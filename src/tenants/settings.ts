import { Type, type Static } from '../support/shape/type.js';
import { MultilingualText, OneOf, PatchOf } from '../support/shape/common-shapes.js';

/** What a store decides about its orders. Of a setting with several fields, a PATCH changes those that it states. */

const Minutes = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 240, description }));

const acceptFields = {
  auto: Type.Optional(Type.Boolean({ description: 'Whether a new order is accepted as it arrives' })),
  within_minutes: Minutes('An order that is still PENDING after this time needs attention'),
  then: Type.Optional(
    OneOf(['nothing', 'reject'], { description: 'What happens to an order that nobody accepted in time' }),
  ),
};

const AskedFor = (description: string) =>
  Type.Optional(OneOf(['required', 'optional', 'none'], { description }));

const guestFields = {
  enabled: Type.Optional(Type.Boolean({ description: 'Whether guests can order' })),
  name: AskedFor('Whether guests are asked for their name'),
  phone: AskedFor('Whether guests are asked for their phone number'),
  most_open: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, description: 'Most PENDING orders of a place', examples: [5] }),
  ),
  welcome: Type.Optional(MultilingualText),
};

const Days = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500, description, examples: [365] }));

const plain = {
  in_pos_within_minutes: Minutes('An order that is not in_pos after this time needs attention'),
  print_within_minutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'An order that a printer has not printed after this time needs attention',
    }),
  ),
  ready_when_done: Type.Optional(
    Type.Boolean({ description: 'Whether an order is READY once all its stations are in `stations_done`' }),
  ),
  order_days: Days('Final orders are removed after this many days. Absent: they are kept'),
  customer_days: Days('Customers of final orders are erased after this many days. Absent: they are kept'),
};

const AcceptSettings = Type.Object(acceptFields, { $id: 'AcceptSettings' });
const GuestSettings = Type.Object(guestFields, { $id: 'GuestSettings' });

export const settings = {
  ...plain,
  accept: Type.Optional(AcceptSettings),
  guest: Type.Optional(GuestSettings),
};

export const writableSettings = {
  ...plain,
  accept: Type.Optional(PatchOf(acceptFields, { $id: 'AcceptSettingsPatch' })),
  guest: Type.Optional(PatchOf(guestFields, { $id: 'GuestSettingsPatch' })),
};

type Accept = Static<typeof AcceptSettings>;
type Guest = Static<typeof GuestSettings>;

/** Defaults of stores that have not set anything. */
const DEFAULTS: { readonly accept: Accept; readonly guest: Guest } = {
  accept: { auto: false, then: 'nothing' },
  guest: { enabled: false, name: 'optional', phone: 'none', most_open: 5 },
};

interface Settings {
  readonly accept?: Accept;
  readonly guest?: Guest;
}

/** The settings after a PATCH: null clears a field, or all of a setting. */
export function mergeSettings(
  before: Settings,
  accept: object | null | undefined,
  guest: object | null | undefined,
): Settings {
  const merge = <T extends object>(defaults: T, present: T | undefined, patch: object | null | undefined) => {
    if (patch === null) return undefined;
    if (patch === undefined) return present;
    const kept = Object.entries({ ...present, ...patch }).filter(([, value]) => value !== null);
    return { ...defaults, ...(Object.fromEntries(kept) as Partial<T>) };
  };
  const accepted = merge(DEFAULTS.accept, before.accept, accept);
  const guests = merge(DEFAULTS.guest, before.guest, guest);
  return { ...(accepted && { accept: accepted }), ...(guests && { guest: guests }) };
}
