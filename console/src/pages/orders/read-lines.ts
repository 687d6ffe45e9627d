import type { Order } from '#sdk';

export interface OrderLine {
  readonly quantity: string;
  readonly name: string;
  /** Of the whole line: the item and its choices, times the quantity; undefined where the item states no price. */
  readonly total: number | undefined;
  /** Of one, where there are more or choices cost extra. */
  readonly unit: number | undefined;
  readonly choices: readonly Choice[];
  /** What the guest says about it. */
  readonly note: string | undefined;
}

interface Choice {
  readonly quantity: string;
  readonly name: string;
  /** What it adds to one item, all of its units together. */
  readonly extra: number;
  /** 0 for a choice of the item, 1 for a choice of that choice, and so on. */
  readonly depth: number;
}

/** An order keeps its items as whoever placed it wrote them; this reads what can be read and shows the rest as it is. */
export function toOrderLines(items: Order['items']): OrderLine[] {
  return items.map((item) => {
    const unit = toAmount(item['price']);
    const choices = toChoices(item, 1, 0);
    const extras = choices.reduce((sum, { extra }) => sum + extra, 0);
    const count = toNumber(item['quantity']);
    return {
      quantity: toQuantity(item['quantity']),
      name: toName(item),
      total: unit === undefined ? undefined : (unit + extras) * count,
      unit: count === 1 && extras === 0 ? undefined : unit,
      choices,
      note: isText(item['comments']) ? item['comments'] : undefined,
    };
  });
}

/** What the lines come to; undefined where one of them states no price. */
export function sumOf(lines: readonly OrderLine[]): number | undefined {
  return lines.reduce<number | undefined>(
    (sum, { total }) => (sum === undefined || total === undefined ? undefined : sum + total),
    0,
  );
}

/** Whoever nests choices deeper than the service itself allows is read no further. */
const MOST_DEPTH = 6;

/** `times` is how many of what they belong to there are in one item. */
function toChoices(entry: Readonly<Record<string, unknown>>, times: number, depth: number): Choice[] {
  if (depth >= MOST_DEPTH) return [];
  return toList(entry['modifiers']).flatMap((choice) => {
    const units = times * toNumber(choice['quantity']);
    const own = {
      quantity: toQuantity(choice['quantity']),
      name: toName(choice),
      extra: (toAmount(choice['price_change']) ?? 0) * units,
      depth,
    };
    return [own, ...toChoices(choice, units, depth + 1)];
  });
}

function toAmount(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function toNumber(value: unknown): number {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 1;
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
