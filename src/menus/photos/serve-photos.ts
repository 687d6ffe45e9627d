import { LRUCache } from 'lru-cache';
import { refuseMoving } from '../../access/moving.js';
import { HttpRefusal } from '../../http/errors.js';
import { matchesEtag, notModified, tagHeaders } from '../../http/response.js';
import type { Responder } from '../../http/router.js';
import type { Database } from '../../postgres/database.js';
import { readContent, type PhotoContent } from './photos.sql.js';

const HELD_BYTES = 32 * 1024 * 1024;
/** A photo that was removed, or whose merchant has moved, may be served for this long. */
const HELD_MS = 10_000;
const ID = /^[\da-f]{32}$/;

/** Serves photos to anyone who has their address. Another photo has another address, so nothing is ever asked for again. */
export function photoResponders(db: Database): Responder[] {
  const held = new LRUCache<string, PhotoContent>({
    maxSize: HELD_BYTES,
    sizeCalculation: ({ content }) => content.length,
    ttl: HELD_MS,
    // A request for a photo is served even if others have taken its place in the cache meanwhile.
    ignoreFetchAbort: true,
    // Guests who open a menu at the same moment want the same photos.
    fetchMethod: async (id) => {
      const photo = await readContent(db, id);
      refuseMoving(photo?.moving ?? undefined, false);
      return photo;
    },
  });
  return [
    {
      method: 'GET',
      path: '/photos/:hash',
      respond: async ({ request, params: { hash: id = '' } }) => {
        const photo = ID.test(id) ? await held.fetch(id) : undefined;
        if (photo === undefined) throw new HttpRefusal(404, 'Not Found');
        const caching = tagHeaders(`"${id}"`, 'public, max-age=31536000, immutable');
        if (matchesEtag(request.headers['if-none-match'], `"${id}"`)) return notModified(caching);
        const safety = ['x-content-type-options', 'nosniff', 'content-security-policy', "default-src 'none'"];
        return {
          status: 200,
          headers: ['content-type', photo.type, ...caching, ...safety],
          body: photo.content,
        };
      },
    },
  ];
}
