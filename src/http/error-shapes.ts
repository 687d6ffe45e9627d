import Type from 'typebox';

const ValidationError = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
      examples: [['body', 'items', 3, 'price']],
    }),
    msg: Type.String({ examples: ['Input should be a valid integer'] }),
    type: Type.String({ examples: ['int_type'] }),
  },
  { $id: 'ValidationError' },
);

export const HTTPValidationError = Type.Object(
  { detail: Type.Optional(Type.Array(ValidationError)) },
  { $id: 'HTTPValidationError' },
);

export const Problem = Type.Object(
  { detail: Type.String({ examples: ['Store not found'] }) },
  { $id: 'Problem' },
);
