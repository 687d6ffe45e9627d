/** What the manage side has set on an item or a modifier item, apart from what was posted. */
export interface Mark {
  readonly inStock?: boolean | undefined;
  readonly prepType?: string | undefined;
}

/** The marks of a store, by the id of the marked entity. */
export type Marks = ReadonlyMap<number, Mark>;

/** A mark outweighs what was posted; an entity without either is in stock. */
export function isInStock(mark: Mark | undefined, stated: boolean | undefined): boolean {
  return mark?.inStock ?? stated ?? true;
}
