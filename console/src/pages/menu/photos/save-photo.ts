import type { PhotoList } from '#sdk';
import { client } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { say, sayError } from '../../../ui/toasts.js';
import type { PhotoSizes } from './prepare-photo.js';

type ShownPhoto = PhotoList['photos'][number];
export type Photos = ReadonlyMap<string, ShownPhoto>;

export async function readPhotos(storeId: string, signal: AbortSignal): Promise<Photos> {
  const { photos } = await client.listPhotos(storeId, { signal });
  return new Map(photos.map((photo) => [photo.external_id, photo]));
}

async function sendPhoto(storeId: string, externalId: string, sizes: PhotoSizes): Promise<void> {
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
  /** The photo that the item has now. */
  readonly present: ShownPhoto | undefined;
  /** Without one the photo is removed. */
  readonly sizes: PhotoSizes | undefined;
}

/** Sets or removes the photo of an item. Returns how to undo that. */
export async function applyPhoto(change: PhotoChange): Promise<() => Promise<void>> {
  const { storeId, externalId, present, sizes } = change;
  const before = await keepBytes(present);
  const apply = (wanted: PhotoSizes | undefined): Promise<unknown> =>
    wanted === undefined ? client.deletePhoto(storeId, externalId) : sendPhoto(storeId, externalId, wanted);
  await apply(sizes);
  return async () => void (await apply(before));
}

/** The same for one item, and offers to undo it. */
export async function changePhoto({
  name,
  onDone,
  ...change
}: PhotoChange & { readonly name: string; readonly onDone: () => void }): Promise<void> {
  const undo = await applyPhoto(change);
  onDone();
  const words = t(change.sizes === undefined ? 'name_has_no_photo_now' : 'name_has_a_new_photo', { name });
  offerUndo(words, [undo], onDone);
}

export function offerUndo(words: string, undos: readonly (() => Promise<void>)[], onDone: () => void): void {
  const undoAll = async () => {
    for (const undo of undos) await undo();
  };
  say(words, { label: t('undo'), run: () => void undoAll().catch(sayError).finally(onDone) });
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
