import type { SealedSecrets } from './endpoint.js';
import type { SecretBox } from './secret-box.js';

/** Where the installation's box of secrets comes from. */
export interface SecretKeeper {
  /** undefined while nothing has ever been sealed. */
  present(): Promise<SecretBox | undefined>;
  /** Makes one where there is none. */
  provide(): Promise<SecretBox>;
}

/** What the endpoint's messages are signed with, the newest first. */
export function openSecrets(
  box: SecretBox,
  endpointId: string,
  { secret, oldSecret }: SealedSecrets,
): string[] {
  return [secret, oldSecret]
    .filter((sealed) => sealed !== undefined)
    .map((sealed) => box.open(sealed, endpointId));
}
