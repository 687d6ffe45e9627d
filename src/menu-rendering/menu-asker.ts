/** The store whose menu is wanted, and for whom. */
export interface MenuAsker {
  readonly storeKey: number;
  /** Merchants have their menus worked on in turn. */
  readonly merchantId: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly gone?: AbortSignal | undefined;
}
