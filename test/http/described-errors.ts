import type { ErrorType } from '../../src/support/error-types.js';

/** What an entry of a 422 says: its message, with … for what differs, where it occurs, and what helps. */
interface Described {
  readonly msg: string;
  readonly where: string;
  readonly remedy: string;
}

const FIELD = 'any field';
const LINE = 'a line of an order or quote';
const MODIFIER = 'a modifier of a line';
const TOTAL = 'an order or quote';
const READY = '`ready_by`';
const form = (msg: string, remedy = 'Send the value in this form', where = FIELD): Described => ({
  msg,
  where,
  remedy,
});

/** What `docs/errors.md` says of each type. */
export const DESCRIBED_ERRORS: Readonly<Record<ErrorType, Described>> = {
  missing: form('Field required', 'Send the field'),
  extra_forbidden: form(
    'Extra inputs are not permitted…',
    'Correct or remove the name',
    'any name, outside `/v1`',
  ),
  string_type: form('Input should be a valid string'),
  string_too_short: form('String should have at least … characters'),
  string_too_long: form('String should have at most … characters'),
  string_unicode: form(
    'Input should be a valid string, unable to parse raw data as a unicode string',
    'Send valid Unicode',
  ),
  int_type: form('Input should be a valid integer'),
  int_parsing: form('Input should be a valid integer, unable to parse string as an integer'),
  int_from_float: form(
    'Input should be a valid integer, got a number with a fractional part',
    'Send minor units: 3.50 is 350',
  ),
  float_type: form('Input should be a valid number'),
  finite_number: form('Input should be a finite number'),
  bool_type: form('Input should be a valid boolean'),
  bool_parsing: form('Input should be a valid boolean, unable to interpret input'),
  enum: form('Input should be …, … or …', 'Send one of the values'),
  greater_than_equal: form('Input should be greater than or equal to …'),
  less_than_equal: form('Input should be less than or equal to …'),
  list_type: form('Input should be a valid list'),
  too_short: form('List should have at least … items after validation, not …'),
  too_long: form('… should have at most … items after validation, not …', 'Send fewer'),
  dict_type: form('Input should be a valid dictionary'),
  model_attributes_type: form('Input should be a valid dictionary or object to extract fields from'),
  datetime_type: form('Input should be a valid datetime'),
  datetime_from_date_parsing: form(
    'Input should be a valid datetime or date, …',
    'Send RFC 3339, such as 2026-11-15T18:00:00Z',
  ),
  json_invalid: form(
    'JSON decode error',
    'Correct the JSON; `ctx` has line and column',
    'the body, at the offset',
  ),
  value_error: form('Value error, …', 'The message says what must hold'),
  too_many_errors: form(
    '… more … not shown',
    'Correct the first hundred and send again',
    'the end of the list',
  ),
  unresolved_reference: form(
    'No … has the external_id …',
    'Add what is missing, or correct the id',
    'references in a menu',
  ),
  duplicate_external_id: form(
    'An earlier … already has the external_id …',
    'Use another id',
    'entities of a menu',
  ),
  unknown_entity: form(
    'No … has the external_id …',
    'Correct the id; the nearest is named',
    'a change of a menu',
  ),
  tree_too_large: form(
    'The tree could take … bytes; the limit is …',
    'Shorten descriptions, or split the menu',
    'a menu',
  ),
  currency_differs: form(
    'The menu has prices in …, the store in …: keep every price of the store, or convert',
    'Keep prices, or state `convert`',
    'a publication to stores',
  ),
  duplicate_date: form('The date … comes twice', 'State each day once', 'special days'),
  query_too_broad: form(
    'This search would read too many orders. Narrow it.',
    'Search for more characters, or fewer days',
    'the list of orders',
  ),
  unknown_item: form('No item has the external_id …', 'Read the menu again; the nearest is named', LINE),
  not_sold_separately: form('… is not sold separately', 'Order it within a combo', LINE),
  sold_out: form('The item … is sold out', 'Remove it, or order fewer: `ctx.left`', `${LINE}, ${MODIFIER}`),
  outside_hours: form(
    'The item … is not available until …',
    'Order for a time of its menu: `ctx.next_at`',
    LINE,
  ),
  unknown_group: form('… has the external_id …', 'Read the menu again', MODIFIER),
  unknown_modifier: form('… has the external_id …', 'Read the menu again', MODIFIER),
  modifier_quantity: form('The modifier item … allows … per item, not …', 'Correct the quantity', MODIFIER),
  group_min: form('The modifier group … requires … selected per item, not …', 'Choose more', LINE),
  group_max: form('The modifier group … requires … selected per item, not …', 'Choose fewer', LINE),
  too_deep: form('Modifiers can be nested to a depth of …', 'Nest fewer levels', MODIFIER),
  negative_line: form('The … of the line is below zero', 'Correct the modifiers in the menu', LINE),
  price_mismatch: form(
    'The … is …, not …',
    'Quote again; `ctx` has lines, charges and discounts',
    `${LINE}, ${TOTAL}`,
  ),
  tax_mismatch: form(
    'The … is …, not …',
    'Quote again; `ctx` has lines, charges and discounts',
    `${LINE}, ${TOTAL}`,
  ),
  negative_total: form('The … of the order is below zero', 'Take less off', '`discounts`'),
  total_too_large: form('The sum is more than …', 'Split the order', TOTAL),
  store_paused: form('The store has paused orders', 'Try again at `ctx.next_at`', TOTAL),
  store_closed: form('The store is closed', 'Order for `ctx.next_at`', TOTAL),
  too_early: form('The order cannot be ready by then', 'Ask for `ctx.next_at`, or leave it out', READY),
  too_late: form('Orders are not taken that far ahead', 'Ask for a time before `ctx.latest`', READY),
  slot_full: form(
    'The kitchen has no place for the order then',
    'Ask for `ctx.next_at`, or leave it out',
    READY,
  ),
};
