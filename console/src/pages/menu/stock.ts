import { client } from '../../client.js';

export interface StockTarget {
  readonly kind: 'item' | 'modifier_item';
  readonly externalId: string;
}

const AT_ONCE = 4;

/** Marks each of them, a few at a time; tells how many are done. All are tried; the first refusal is thrown at the end. */
export async function markStock(
  storeId: string,
  targets: readonly StockTarget[],
  isInStock: boolean,
  onProgress: (done: number) => void,
): Promise<void> {
  const waiting = [...targets];
  const refusals: unknown[] = [];
  let done = 0;
  const work = async () => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      const mark = target.kind === 'item' ? client.markItem : client.markModifierItem;
      await mark(storeId, target.externalId, { in_stock: isInStock }).catch((error: unknown) =>
        refusals.push(error),
      );
      done += 1;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (refusals.length > 0) throw refusals[0];
}
