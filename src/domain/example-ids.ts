/**
 * The ids of the demo restaurant. The API documents give them as examples, so that whatever is sent from there as it
 * stands finds something; they never change.
 */
export const exampleIds = {
  merchant: '01980c6e-5c00-7000-8000-000000000001',
  store: '01980c6e-5c00-7000-8000-000000000002',
  /** A store that nothing depends on: what the documents write as an example goes there. */
  trialStore: '01980c6e-5c00-7000-8000-000000000005',
  /** An order id ends with the number of its store. */
  order: '01980c6e-5c00-7000-8000-00007fffff01',
  /** No key has it: the documents must not lead anyone to revoke one that is in use. */
  key: '01980c6e-5c00-7000-8000-000000000009',
} as const;

/**
 * Stores are numbered upwards from 1 as they are made. The few numbers from here on belong to stores whose ids are known
 * beforehand, such as the demo's; nothing that counts upwards may start from one of them.
 */
export const FIRST_GIVEN_STORE_KEY = 0x7fff_ff00;
