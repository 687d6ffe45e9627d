import type { Order } from '#sdk';
import { useSignal } from '@preact/signals';
import { t } from '../../text/t.js';
import { toMoney, toPriceChange } from '../../text/format.js';
import { toOrderLines } from './read-lines.js';
import { Button } from '../../ui/button.js';

interface OrderLinesProps {
  readonly items: Order['items'];
  /** Prices are shown with it alone. */
  readonly currency?: string | undefined;
  readonly hasPrices?: boolean;
  readonly most?: number;
  /** Where an item is prepared. */
  readonly stationOf?: ((item: Order['items'][number]) => string | undefined) | undefined;
}

const MOST_CHOICES = 30;

export function OrderLines({
  items,
  currency,
  hasPrices = false,
  most = Infinity,
  stationOf,
}: OrderLinesProps) {
  const isWhole = useSignal(false);
  const lines = toOrderLines(isWhole.value ? items : items.slice(0, most));
  const hidden = items.length - lines.length;
  return (
    <>
      <ul class="order-lines">
        {lines.map((line, i) => (
          <li class="order-line" key={i}>
            <span class="quantity">{line.quantity}×</span>
            <span class="name">
              <bdi>{line.name}</bdi>
            </span>
            {hasPrices && line.total !== undefined && (
              <span class="number">{toMoney(line.total, currency)}</span>
            )}
            <Station name={stationOf?.(items[i] ?? {})} />
            {hasPrices && line.unit !== undefined && (
              <span class="choices number">{t('price_each', { price: toMoney(line.unit, currency) })}</span>
            )}
            {line.choices.length > 0 && (
              <ul class="choices">
                {line.choices.slice(0, MOST_CHOICES).map((choice, place) => (
                  <li key={place} data-depth={choice.depth}>
                    {choice.quantity !== '1' && `${choice.quantity}× `}
                    <bdi>{choice.name}</bdi>
                    {hasPrices && choice.extra !== 0 && (
                      <span class="number"> {toPriceChange(choice.extra, currency)}</span>
                    )}
                  </li>
                ))}
                {line.choices.length > MOST_CHOICES && (
                  <li>{t('and_count_more', { count: line.choices.length - MOST_CHOICES })}</li>
                )}
              </ul>
            )}
            {line.note !== undefined && (
              <p class="choices line-note">
                <bdi>“{line.note}”</bdi>
              </p>
            )}
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button onClick={() => (isWhole.value = true)}>{t('show_count_more', { count: hidden })}</Button>
      )}
    </>
  );
}

function Station({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <span class="choices small">
      <bdi>{name}</bdi>
    </span>
  );
}
