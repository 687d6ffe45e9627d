import type { OrderStatus } from './status.js';

/** What a list of orders is narrowed to; texts are folded already, and an empty text narrows nothing. */
export interface OrderFilter {
  /** Inclusive, in milliseconds. */
  readonly from?: number | undefined;
  /** Exclusive, in milliseconds. */
  readonly to?: number | undefined;
  readonly status?: OrderStatus | undefined;
  readonly name: string;
  readonly digits: string;
}

export interface OrderPage {
  readonly offset: number;
  readonly size: number;
}
