import { signal } from '@preact/signals';
import { client } from './client.js';
import { isOperator, session } from './session.js';

/** What the keys are called, by id; the operator alone may know. */
const labels = signal<ReadonlyMap<string, string | undefined>>(new Map());

export async function loadKeyLabels(): Promise<void> {
  if (!isOperator()) return;
  const keys = await client.listKeys({ limit: 1000 });
  labels.value = new Map(keys.map(({ id, label }) => [id, label]));
}

/** Who acted, in words: an act is recorded with the id of the key alone. */
export function whoOf(keyId: string): string {
  const state = session.value;
  if (state.is === 'in' && state.session.key.id === keyId) return 'this key';
  if (keyId === 'operator') return 'the operator';
  return labels.value.get(keyId) ?? (keyId.length > 12 ? `key …${keyId.slice(-6)}` : keyId);
}
