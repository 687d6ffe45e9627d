import type { PhotoList } from '#sdk';
import { client } from '../../../data/client.js';
import { t } from '../../../text/t.js';
import { say, sayError } from '../../../ui/toasts.js';
import type { PhotoSizes } from './prepare-photo.js';

type ShownPhoto = PhotoList['photos'][number];
export type Photos = ReadonlyMap<string, ShownPhoto>;

export async function readPhotos(storeId: string, signal: AbortSignal): Promise<Photos> {
  const { photos } = await client.listPhotos(storeId, { signal });
  return new Map(photos.map((photo) => [photo.external_id, photo]));
}

export async function sendPhoto(storeId: string, externalId: string, sizes: PhotoSizes): Promise<void> {
  for (const size of ['large', 'small'] as const) {
    const blob = sizes[size];
    await client.putPhoto(
      storeId,
      externalId,
      new Uint8Array(await blob.arrayBuffer()),
      { size },
      { headers: { 'content-type': blob.type } },
    );
  }
}

interface PhotoChange {
  readonly storeId: string;
  readonly externalId: string;
  readonly name: string;
  /** The photo that the item has now. */
  readonly present: ShownPhoto | undefined;
  /** Without one the photo is removed. */
  readonly sizes: PhotoSizes | undefined;
  readonly onDone: () => void;
}

/** Sets or removes the photo of an item, and offers to undo it. */
export async function changePhoto({
  storeId,
  externalId,
  name,
  present,
  sizes,
  onDone,
}: PhotoChange): Promise<void> {
  const before = await keepBytes(present);
  const apply = async (wanted: PhotoSizes | undefined) => {
    if (wanted === undefined) await client.deletePhoto(storeId, externalId);
    else await sendPhoto(storeId, externalId, wanted);
    onDone();
  };
  await apply(sizes);
  say(t(sizes === undefined ? 'name_has_no_photo_now' : 'name_has_a_new_photo', { name }), {
    label: t('undo'),
    run: () => void apply(before).catch(sayError),
  });
}

async function keepBytes(photo: ShownPhoto | undefined): Promise<PhotoSizes | undefined> {
  if (photo === undefined) return undefined;
  const [large, small] = await Promise.all(
    [photo.url, photo.small?.url ?? photo.url].map(async (url) => (await fetch(url)).blob()),
  );
  return large === undefined || small === undefined ? undefined : { large, small };
}

/** The pictures among what was dropped or pasted. */
export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}
