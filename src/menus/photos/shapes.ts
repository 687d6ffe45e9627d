import Type from 'typebox';

const size = {
  url: Type.String({
    description: 'Path on this service',
    examples: ['/photos/0f1e2d3c4b5a69788796a5b4c3d2e1f0'],
  }),
  width: Type.Integer({ examples: [1200] }),
  height: Type.Integer({ examples: [900] }),
};
const bytes = Type.Integer({ examples: [98_304] });
const small = Type.Optional(Type.Object(size, { description: 'For lists', $id: 'SmallPhoto' }));

export const Photo = Type.Object({ ...size, small }, { $id: 'Photo' });

export const StoredPhoto = Type.Object({ ...size, bytes }, { $id: 'StoredPhoto' });

export const PhotoList = Type.Object(
  { photos: Type.Array(Type.Object({ external_id: Type.String(), ...size, bytes, small })) },
  { $id: 'PhotoList' },
);
