import { hash } from 'node:crypto';
import { audit } from '../../audit/audit.sql.js';
import type { SharedDatabase, Transaction } from '../../postgres/database.js';
import { Conflict, QuotaExceeded, requireFound } from '../../support/errors.js';
import type { StoreTenant } from '../../support/fair-semaphore.js';
import { lockMerchant } from '../../tenants/merchants.sql.js';
import { findListed } from '../publish/entities.sql.js';
import { nextRevision } from '../stock/marks.js';
import { setStockRevision } from '../stock/stock.sql.js';
import { lockMenu } from '../versions/versions.sql.js';
import {
  countBytes,
  keepContent,
  readPhotoOf,
  removePhoto,
  setPhoto,
  setSmallPhoto,
  type KeptPhoto,
} from './photos.sql.js';
import { readPhotoSize, type PhotoType } from './read-header.js';

const MOST_BYTES = 2 * 1024 ** 3;

export interface SentPhoto {
  readonly externalId: string;
  readonly type: PhotoType;
  readonly content: Buffer;
  readonly isSmall: boolean;
}

/** The merchant is part of what is hashed: the same photo of two merchants has two addresses that tell nothing of each other. */
function idOf(merchantId: string, content: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${merchantId}\n`), content]), 'hex').slice(0, 32);
}

export async function putPhoto(db: SharedDatabase, store: StoreTenant, sent: SentPhoto): Promise<KeptPhoto> {
  const { merchantId, storeKey } = store;
  const { externalId, content, type } = sent;
  const photo = {
    ...readPhotoSize(type, content),
    id: idOf(merchantId, content),
    bytes: content.length,
  };
  const [size, set] = sent.isSmall ? (['small', setSmallPhoto] as const) : (['photo', setPhoto] as const);
  await db.transaction(async (tx) => {
    await lockMerchant(tx, merchantId);
    const { id, before, reviseStock } = await lockItem(tx, storeKey, externalId);
    const { used, isKept } = await countBytes(tx, merchantId, photo.id);
    if (!isKept && used + photo.bytes > MOST_BYTES)
      throw new QuotaExceeded('The photos of the merchant take 2 GiB. Remove some first.');
    if (sent.isSmall && before === undefined)
      throw new Conflict('The item has no photo. Send the large one first.');
    await keepContent(tx, merchantId, photo.id, { type, content });
    const replaced = before?.[size] ?? undefined;
    if (replaced === photo.id) return;
    await set(tx, storeKey, id, photo);
    await audit(tx, 'photo.set', {
      storeKey,
      subject: externalId,
      before: replaced === undefined ? undefined : { [size]: { id: replaced } },
      after: { [size]: photo },
    });
    await reviseStock();
  });
  return photo;
}

export async function deletePhoto(
  db: SharedDatabase,
  { storeKey }: StoreTenant,
  externalId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, before, reviseStock } = await lockItem(tx, storeKey, externalId);
    if (before === undefined) return;
    await removePhoto(tx, storeKey, id);
    const was = { photo: { id: before.photo } };
    await audit(tx, 'photo.removed', { storeKey, subject: externalId, before: was });
    await reviseStock();
  });
}

/** With a change the stock revision moves, so that no menu with the photo of before is taken for the current one. */
async function lockItem(tx: Transaction, storeKey: number, externalId: string) {
  const { version, stockRevision } = await lockMenu(tx, storeKey);
  const [item] = await findListed(tx, storeKey, version, [{ kind: 'item', externalId }]);
  const before = await readPhotoOf(tx, storeKey, externalId);
  const id = requireFound(item?.id ?? before?.id, 'Item');
  return { id, before, reviseStock: () => setStockRevision(tx, storeKey, nextRevision(stockRevision)) };
}
