import { Type } from '../../support/shape/type.js';
import { problem } from '../../http/errors.js';
import { json, noContent } from '../../http/response.js';
import { storeRoute, type Route } from '../../http/route.js';
import type { Database } from '../../postgres/database.js';
import { OneOf } from '../../support/shape/common-shapes.js';
import { isStorableText } from '../../support/shape/values.js';
import { StoreParams } from '../../tenants/routes.manage.js';
import { createEntityCheck, entityParams } from '../entity-routes.js';
import { deletePhoto, putPhoto } from './photos.js';
import { listPhotos, readPhotoOf } from './photos.sql.js';
import { MOST_PHOTO_BYTES, PHOTO_TYPES } from './read-header.js';
import { addressOf, PhotoList, StoredPhoto } from './shapes.js';

export function photoRoutes(db: Database): Route[] {
  const common = { tag: 'Menu' } as const;
  const ofItem = {
    ...common,
    permission: 'menu:write',
    params: entityParams('flat-white'),
    findResource: createEntityCheck(db)('item'),
  } as const;
  return [
    storeRoute('PUT', '/manage/v1/stores/{store_id}/menu/items/{external_id}/photo', 'put_photo', {
      ...ofItem,
      summary: 'Set the photo of an item',
      description:
        'JPEG, PNG or WebP, up to 1 MiB and 2,048 pixels a side. It belongs to the external_id and stays when menus are ' +
        'published. Send it upright and without metadata: it is served as it is, to anyone. `size=small` adds a small size, ' +
        'of about 400 pixels, for lists; another photo takes it away.',
      query: Type.Object({
        size: Type.Optional(
          OneOf(['large', 'small'], { description: 'Default: large', examples: ['large'] }),
        ),
      }),
      body: {
        kind: 'file',
        contentTypes: PHOTO_TYPES,
        maxBytes: MOST_PHOTO_BYTES,
        schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
        example: undefined,
      },
      responses: [
        { status: 200, description: 'The photo', schema: StoredPhoto },
        problem(409, 'A small size for an item without a photo'),
        problem(507, 'The photos of the merchant take 2 GiB'),
      ],
      handler: async ({ db: own, store, params, query, body }) => {
        const { id, width, height, bytes } = await putPhoto(own, store, {
          externalId: params.external_id,
          type: body.type,
          content: body.bytes,
          isSmall: query.size === 'small',
        });
        return json({ url: addressOf(id), width, height, bytes });
      },
    }),
    storeRoute('DELETE', '/manage/v1/stores/{store_id}/menu/items/{external_id}/photo', 'delete_photo', {
      ...ofItem,
      // What has left the menu keeps its photo, which is listed and takes room.
      findResource: async (call) => {
        const { store, params } = call;
        const read = () => readPhotoOf(db.forTenant(store), store.storeKey, params.external_id);
        if (!isStorableText(params.external_id) || (await read()) === undefined)
          await ofItem.findResource(call);
      },
      summary: 'Remove the photo of an item',
      description:
        'With its small size, also of an item that is not on the menu now. An item without a photo is no error.',
      responses: [{ status: 204, description: 'The item has no photo' }],
      handler: async ({ db: own, store, params }) => {
        await deletePhoto(own, store, params.external_id);
        return noContent();
      },
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}/menu/photos', 'list_photos', {
      ...common,
      summary: 'List the photos of a store',
      description: 'Also those of items that are not on the menu now.',
      permission: 'kitchen:read',
      params: StoreParams,
      hasLargeResponse: true,
      responses: [{ status: 200, description: 'In the order of their external_ids', schema: PhotoList }],
      handler: async ({ db: own, store }) => {
        const rows = await listPhotos(own, store.storeKey);
        const photos = rows.map(({ external_id, photo, width, height, bytes, ...row }) => ({
          external_id,
          url: addressOf(photo),
          width,
          height,
          bytes,
          ...(row.small === null
            ? {}
            : { small: { url: addressOf(row.small), width: row.small_width, height: row.small_height } }),
        }));
        return json({ photos });
      },
    }),
  ];
}
