import { signal } from '@preact/signals';
import { client } from './client.js';
import { t } from '../text/t.js';
import { session } from './session.js';

/** What the keys are called, by id. */
const names = signal<Readonly<Record<string, string>>>({});

export async function loadKeyNames(): Promise<void> {
  const { body } = await client.request({ path: '/key_names' });
  names.value = body as Record<string, string>;
}

/** Who acted, at the beginning of a sentence: an act is recorded with the id of the key alone. */
export function whoOf(keyId: string): string {
  const state = session.value;
  if (state.is === 'in' && state.session.key.id === keyId) return t('you');
  if (keyId === 'operator') return t('the_operator');
  return (Object.hasOwn(names.value, keyId) ? names.value[keyId] : undefined) ?? t('a_key_that_is_gone');
}
