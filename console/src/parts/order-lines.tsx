import type { Order } from '#sdk';
import { useSignal } from '@preact/signals';
import { toMoney } from './format.js';

export interface OrderLine {
  readonly quantity: string;
  readonly name: string;
  readonly price: number | undefined;
  readonly choices: readonly { readonly quantity: string; readonly name: string }[];
  readonly note: string | undefined;
}

/** An order keeps its items as whoever placed it wrote them; this reads what can be read and shows the rest as it is. */
export function toOrderLines(items: Order['items']): OrderLine[] {
  return items.map((item) => ({
    quantity: toQuantity(item['quantity']),
    name: toName(item),
    price: typeof item['price'] === 'number' ? item['price'] : undefined,
    choices: toList(item['modifiers']).map((choice) => ({
      quantity: toQuantity(choice['quantity']),
      name: toName(choice),
    })),
    note: [item['comment'], item['comments'], item['note'], item['notes']].find(isText),
  }));
}

function toQuantity(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '1';
}

function toName(entry: Readonly<Record<string, unknown>>): string {
  const { name, external_id: externalId } = entry;
  if (isText(name)) return name;
  const translations = isMap(name) ? (isMap(name['translations']) ? name['translations'] : name) : {};
  return (
    Object.values(translations).find(isText) ?? (isText(externalId) ? externalId : JSON.stringify(entry))
  );
}

function toList(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isMap) : [];
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

interface OrderLinesProps {
  readonly items: Order['items'];
  /** Prices are shown with it alone. */
  readonly currency?: string | undefined;
  readonly hasPrices?: boolean;
  readonly most?: number;
}

const MOST_CHOICES = 30;

export function OrderLines({ items, currency, hasPrices = false, most = Infinity }: OrderLinesProps) {
  const isWhole = useSignal(false);
  const lines = toOrderLines(isWhole.value ? items : items.slice(0, most));
  const hidden = items.length - lines.length;
  return (
    <>
      <ul class="order-lines">
        {lines.map((line, at) => (
          <li class="order-line" key={at}>
            <span class="quantity">{line.quantity}×</span>
            <bdi class="name">{line.name}</bdi>
            {hasPrices && line.price !== undefined && (
              <span class="number">{toMoney(line.price, currency)}</span>
            )}
            {line.choices.length > 0 && (
              <ul class="choices">
                {line.choices.slice(0, MOST_CHOICES).map((choice, place) => (
                  <li key={place}>
                    {choice.quantity !== '1' && `${choice.quantity}× `}
                    <bdi>{choice.name}</bdi>
                  </li>
                ))}
                {line.choices.length > MOST_CHOICES && <li>and {line.choices.length - MOST_CHOICES} more</li>}
              </ul>
            )}
            {line.note !== undefined && (
              <p class="choices">
                <bdi>“{line.note}”</bdi>
              </p>
            )}
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" class="button" onClick={() => (isWhole.value = true)}>
          Show {hidden} more
        </button>
      )}
    </>
  );
}
