import { signal } from '@preact/signals';
import { client, ownKey } from './session.js';
import { actorWord } from '../text/actor-words.js';
import { t } from '../text/t.js';

/** What the keys are called, by id. */
const names = signal<Readonly<Record<string, string>>>({});

export async function loadKeyNames(): Promise<void> {
  const { body } = await client.request({ path: '/key_names' });
  names.value = body as Record<string, string>;
}

/** Who acted, at the beginning of a sentence: an act is recorded with the id of the key alone. */
export function whoOf(keyId: string | undefined): string {
  if (keyId !== undefined && keyId === ownKey()?.id) return t('you');
  const isNamed = keyId !== undefined && Object.hasOwn(names.value, keyId);
  return actorWord(keyId, isNamed ? names.value[keyId] : undefined);
}
