import type { ComponentChildren } from 'preact';

interface TableProps {
  readonly columns: readonly string[];
  /** The last column holds amounts, which end at the same edge. */
  readonly isLastNumber?: boolean;
  readonly children: ComponentChildren;
}

/** A list in columns; on a narrow screen each of its rows is a card. */
export function Table({ columns, isLastNumber = false, children }: TableProps) {
  return (
    <div class="table-scroll">
      <table class="table cards">
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th
                key={column}
                scope="col"
                class={isLastNumber && at === columns.length - 1 ? 'end' : undefined}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export interface RowAction {
  readonly label: string;
  /** What it is called where the row is not seen. */
  readonly name?: string;
  readonly isDangerous?: boolean;
  readonly onPress: () => void;
}

/** What can be done with a row. */
export function RowActions({ actions }: { readonly actions: readonly RowAction[] }) {
  return (
    <span class="row">
      {actions.map(({ label, name, isDangerous = false, onPress }) => (
        <button
          key={label}
          type="button"
          class={isDangerous ? 'button danger' : 'button'}
          aria-label={name}
          onClick={onPress}
        >
          {label}
        </button>
      ))}
    </span>
  );
}
