/** An integer that is never rounded, however large it becomes: a plain number for as long as that is exact. */
export type Exact = number | bigint;

export function addProduct(sum: Exact, factor: number, times: number): Exact {
  const product = factor * times;
  if (typeof sum === 'number' && Number.isSafeInteger(product) && Number.isSafeInteger(sum + product))
    return sum + product;
  return BigInt(sum) + BigInt(factor) * BigInt(times);
}

export function multiply(sum: Exact, times: number): Exact {
  if (typeof sum === 'number' && Number.isSafeInteger(sum * times)) return sum * times;
  return BigInt(sum) * BigInt(times);
}

/** Undefined where no number of JSON holds it exactly. */
export function toJsonNumber(sum: Exact): number | undefined {
  const value = Number(sum);
  return Number.isSafeInteger(value) ? value : undefined;
}
