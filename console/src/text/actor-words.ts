import { t } from './t.js';

/** Those who act without a key of their own: guests, the loader of the demo, and nobody where the clock does it. */
const WITHOUT_KEY = new Map([
  [undefined, t('the_clock')],
  ['guest', t('a_guest')],
  ['demo', t('the_demo')],
  ['operator', t('the_operator')],
]);

/** Who acted, at the beginning of a sentence; `name` is what the key is called, if it is known. */
export function actorWord(keyId: string | undefined, name: string | undefined): string {
  return WITHOUT_KEY.get(keyId) ?? name ?? t('a_key_that_is_gone');
}
