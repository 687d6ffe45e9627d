import type { Order } from '#sdk';

export type LiveOrder = Order & { readonly external_id?: string; readonly revision?: number };

interface Following {
  readonly stop: () => void;
}

const POLL_MS = 5_000;

/** Looks again and again whether anything has changed in a store. */
export function followStore(look: () => void): Following {
  const timer = setInterval(look, POLL_MS);
  return { stop: () => clearInterval(timer) };
}
