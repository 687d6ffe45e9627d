/**
 * The ids of the demo restaurant. The API documents use them as examples, so that every example works unchanged. They must
 * never change.
 */
export const exampleIds = {
  merchant: '01980c6e-5c00-7000-8000-000000000001',
  /** Madrid; the other two stores of the demo follow. */
  store: '01980c6e-5c00-7000-8000-000000000002',
  tokyoStore: '01980c6e-5c00-7000-8000-000000000003',
  dubaiStore: '01980c6e-5c00-7000-8000-000000000004',
  /** A store for examples that write: nothing depends on it. */
  trialStore: '01980c6e-5c00-7000-8000-000000000005',
  /** An order id ends with the number of its store. */
  order: '01980c6e-5c00-7000-8000-00007fffff01',
  /** No key has this id, so that an example cannot revoke a key that is in use. */
  key: '01980c6e-5c00-7000-8000-000000000009',
  /** Nor any place. */
  place: '01980c6e-5c00-7000-8000-00000000000a',
} as const;

/**
 * Stores are numbered from 1 upwards. Numbers from here on are reserved for stores with fixed ids, such as the demo's; no
 * counter may start from one of them.
 */
export const FIRST_GIVEN_STORE_KEY = 0x7fff_ff00;
