import type { EventType } from '../event/event.js';

/** Why nothing is sent to an endpoint any more: asked for, answered 410, or nothing but failures for days. */
export const DISABLED_REASONS = ['requested', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An endpoint as it is kept. Times are RFC 3339. */
export interface Endpoint {
  readonly id: string;
  readonly merchantId: string;
  /** undefined: every store of the merchant. */
  readonly storeIds: readonly string[] | undefined;
  readonly url: string;
  /** undefined: every type. */
  readonly types: readonly EventType[] | undefined;
  readonly label: string | undefined;
  readonly includeOrder: boolean;
  readonly skipOwn: boolean;
  /** The key that made it, whose own changes `skipOwn` is about. */
  readonly keyId: string;
  readonly status: 'active' | 'disabled';
  readonly disabledReason: DisabledReason | undefined;
  readonly createdAt: string;
  readonly lastSuccessAt: string | undefined;
  readonly secrets: SealedSecrets;
}

/** What an endpoint's messages are signed with. */
export interface SealedSecrets {
  /** The id of the box that opens them. */
  readonly sealedWith: string;
  readonly secret: Buffer;
  /** The one before the last rotation, while it still signs. */
  readonly oldSecret: Buffer | undefined;
}
