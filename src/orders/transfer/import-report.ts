import Type, { type Static } from 'typebox';

const ImportRefusal = Type.Object(
  {
    line: Type.Integer({ description: 'Line number, starting at 1.' }),
    detail: Type.Unsafe<unknown>({
      description: 'The detail that creating this order alone would have returned.',
    }),
  },
  { $id: 'ImportRefusal' },
);

export const ImportReport = Type.Object(
  {
    created: Type.Integer(),
    existing: Type.Integer({ description: 'Lines with an external_id that the store already had.' }),
    refused: Type.Integer(),
    errors: Type.Array(ImportRefusal, { description: 'The first hundred rejected lines.' }),
  },
  { $id: 'ImportReport' },
);
export type ImportReport = Static<typeof ImportReport>;
