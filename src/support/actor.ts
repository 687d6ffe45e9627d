/** How a change was asked for; the clock is the service itself. */
export const VIAS = ['api', 'console', 'mcp', 'clock'] as const;
export type Via = (typeof VIAS)[number];

/** As orders and events tell it: only what an assistant did is said to be. */
export function viaOf(by: { readonly via: Via } | undefined): 'mcp' | undefined {
  return by?.via === 'mcp' ? by.via : undefined;
}

/** On whose behalf a transaction runs, as the audit log tells it. */
export interface Actor {
  readonly keyId: string;
  readonly label?: string | undefined;
  readonly via: Via;
  readonly requestId: string;
}
