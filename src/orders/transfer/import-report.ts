import { Type, type Static } from '../../support/shape/type.js';
import { NamedShape } from '../../support/shape/common-shapes.js';

const ImportRefusal = NamedShape('ImportRefusal', {
  line: Type.Integer({ description: 'Line number, starting at 1.' }),
  detail: Type.Unsafe<unknown>({
    description: 'The detail that creating this order alone would have returned.',
  }),
});

export const ImportReport = NamedShape('ImportReport', {
  created: Type.Integer(),
  existing: Type.Integer({ description: 'Lines with an external_id that the store already had.' }),
  refused: Type.Integer(),
  errors: Type.Array(ImportRefusal, { description: 'The first hundred rejected lines.' }),
});
export type ImportReport = Static<typeof ImportReport>;
