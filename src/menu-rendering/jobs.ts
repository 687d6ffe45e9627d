import type { MenuLimits } from '../domain/menu/menu-limits.js';
import type { Publication } from '../domain/menu/publication.js';
import type { Fragments } from './fragments.js';
import type { PriceIndex } from './prices/price-index.js';

/** What a store has published, as it comes from the database: none of it is parsed on the event loop. */
export interface MenuSource {
  readonly content: Uint8Array;
  /** Ids in the order of the entities, with commas between them. */
  readonly ids: string;
  /** JSON text: a list of [id, in_stock, prep_type]. */
  readonly marks: string;
}

/** Work for a thread, with what it gives back. */
export interface Jobs {
  prepare: {
    /** `soldOut` are the external_ids of the modifier items that are marked so. */
    readonly input: { readonly body: Uint8Array; readonly soldOut: readonly string[] };
    readonly output: Publication;
  };
  tree: { readonly input: MenuSource; readonly output: Rendered };
  flat: { readonly input: MenuSource; readonly output: Rendered };
  diff: {
    readonly input: { readonly before: Uint8Array | undefined; readonly after: Uint8Array };
    readonly output: Uint8Array;
  };
  prices: { readonly input: Pick<MenuSource, 'content' | 'ids'>; readonly output: PriceIndex };
  available: { readonly input: MenuSource & Moment; readonly output: Rendered };
}

export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly timezone: string;
}

/** Whole bytes, or the shared fragments of what is too large to be held as a whole. */
export type Rendered =
  { readonly bytes: Uint8Array } | { readonly fragments: Fragments; readonly length: number };

export type JobName = keyof Jobs;

export interface ThreadSettings {
  readonly limits: MenuLimits;
  /** Trees up to this size are handed over whole. */
  readonly wholeBytes: number;
}

/** The buffers within a message that can change threads without a copy: those that no other view shares. */
export function ownedBuffers(message: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  collect(message, found);
  return [...found];
}

function collect(value: unknown, found: Set<ArrayBuffer>): void {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength)
      found.add(value.buffer);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collect(member, found);
  }
}

/** The store whose menu is wanted, and for whom. */
export interface MenuAsker {
  readonly storeKey: number;
  /** Merchants have their menus worked on in turn. */
  readonly merchantId: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly gone?: AbortSignal | undefined;
}
