import { Type } from './type.js';
import { reportValueError } from '../error-details.js';
import { isResourceId } from '../uuid.js';
import { withRule } from './compile-shape.js';

/** The cursors of a list without a row: before every id, and after every id for a list that begins with the newest. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Where a list in the order of ids goes on: after the id of its last row. */
export const IdCursor = Type.Optional(
  withRule(
    Type.String({
      description: 'The cursor of the page before',
      examples: ['01980c6e-5c00-7000-8000-000000000001'],
    }),
    (text, visit) => {
      if (!isResourceId(text)) reportValueError(visit, 'not a cursor of this list', text);
    },
  ),
);
