import type { MerchantResponse } from '#sdk';
import { t, tx } from '../../text/t.js';
import { SelectField, Ticks } from '../../ui/field.js';
import { toHref } from '../../app/router.js';
import { ownKey } from '../../data/session.js';
import { nameOfStore, stores } from '../../data/stores.js';

interface MerchantFieldProps {
  readonly merchants: readonly MerchantResponse[];
  readonly chosen?: string | undefined;
  readonly onChoose?: (merchantId: string) => void;
}

/** Which merchant something is for, in the field `merchant_id` of the form. */
export function MerchantField({ merchants, ...choice }: MerchantFieldProps) {
  return (
    <SelectField
      {...choice}
      label={t('merchant')}
      hint={
        merchants.length === 0
          ? tx('there_is_no_merchant_yet_link', {
              link: <a href={toHref('/merchants')}>{t('make_one_first')}</a>,
            })
          : undefined
      }
      name="merchant_id"
      required
      options={merchants.map(({ id, brand_name: name }) => [id, name])}
    />
  );
}

interface StoresFieldProps {
  /** Only stores of this merchant. Default: of all that the key sees. */
  readonly merchantId: string | undefined;
  readonly chosen?: readonly string[] | undefined;
}

/** The stores that can be chosen. */
export function storesOf(merchantId: string | undefined): string[] {
  return (stores.value ?? [])
    .filter(({ merchant }) => merchantId === undefined || merchant?.id === merchantId)
    .map(({ id }) => id);
}

/** Which stores something reaches, in the fields `store` of the form; none of them for all. */
export function StoresField({ merchantId, chosen = [] }: StoresFieldProps) {
  const offered = storesOf(merchantId);
  if (offered.length < 2 && chosen.length === 0) return null;
  // Not every store is listed: one that was chosen stays so until it is unticked.
  const ids = new Set([...offered, ...chosen]);
  return (
    <Ticks
      legend={t('stores')}
      // A key of named stores gives no others away, not even future ones.
      hint={
        ownKey()?.store_ids === undefined ? t('none_ticked_all_of_them_also') : t('none_ticked_all_of_them')
      }
      name="store"
      options={[...ids].map((id) => [id, <bdi>{nameOfStore(id)}</bdi>])}
      chosen={chosen}
    />
  );
}

/** The stores that are ticked; undefined where they are those that were chosen already. */
export function changedStores(data: FormData, chosen: readonly string[] = []): string[] | undefined {
  const ticked = data.getAll('store').map(String);
  const isSame = ticked.length === new Set(chosen).size && ticked.every((id) => chosen.includes(id));
  return isSame ? undefined : ticked;
}

/** What can be ticked, each with what it is called in the API. */
export function withCodes(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([code, called]) => {
    const label = (
      <>
        {called} <span class="mono soft">{code}</span>
      </>
    );
    return [code, label] as const;
  });
}
