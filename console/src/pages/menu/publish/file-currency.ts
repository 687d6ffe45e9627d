const CURRENCY_IN_NAME = /[.]([A-Z]{3})(?: ?[(]\d+[)])?[.]\w+$/;

/** A menu states no currency; the name of a downloaded one says which its prices are in. */
export function menuFileName(currency: string | undefined): string {
  return currency === undefined ? 'menu.json' : `menu.${currency}.json`;
}

/** The currency that a file was downloaded in, where its name still says so and the store has another. */
export function foreignCurrency(name: string, currency: string | undefined): string | undefined {
  const named = CURRENCY_IN_NAME.exec(name)?.[1];
  return named !== undefined && currency !== undefined && named !== currency ? named : undefined;
}
