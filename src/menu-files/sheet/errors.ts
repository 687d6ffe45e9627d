/** Where a cell is; both count from 0. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** The name of a cell in a spreadsheet, such as `F17`. */
export function cellName({ row, column }: CellPosition): string {
  let letters = '';
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  return `${letters}${row + 1}`;
}

/** Something wrong with a sheet, at a cell where it has one. */
export interface SheetError {
  readonly cell?: string;
  /** Counts from 1, as in spreadsheets. */
  readonly row?: number;
  readonly message: string;
}

export function errorAt(position: CellPosition, message: string): SheetError {
  return { cell: cellName(position), row: position.row + 1, message };
}

/** Everything that is wrong, on the way down the sheet. */
export class SheetErrors extends Error {
  readonly errors: readonly SheetError[];

  constructor(errors: readonly SheetError[]) {
    super(errors.map(({ message }) => message).join('; '));
    this.errors = errors.toSorted((one, other) => (one.row ?? 0) - (other.row ?? 0));
  }
}
