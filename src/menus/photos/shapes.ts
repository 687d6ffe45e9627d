import { Type } from '../../support/shape/type.js';
import { NamedShape } from '../../support/shape/common-shapes.js';

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

export const Photo = NamedShape('Photo', { ...size, small });

export const StoredPhoto = NamedShape('StoredPhoto', { ...size, bytes });

export const PhotoList = NamedShape('PhotoList', {
  photos: Type.Array(Type.Object({ external_id: Type.String(), ...size, bytes, small })),
});

export function addressOf(id: string): string {
  return `/photos/${id}`;
}
