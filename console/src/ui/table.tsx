import type { ComponentChildren } from 'preact';
import { t } from '../text/t.js';
import { Button } from './button.js';
import { Icon, type IconName } from './icon.js';

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
            {columns.map((column, i) => (
              <th
                key={column}
                scope="col"
                class={isLastNumber && i === columns.length - 1 ? 'end' : undefined}
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

interface RowAction {
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly onPress: () => void;
}

interface RowActionsProps {
  /** What the row is about; buttons are called after it for those who do not see which row they stand in. */
  readonly of: string;
  readonly actions: readonly RowAction[];
}

/** What can be done with a row. */
export function RowActions({ of, actions }: RowActionsProps) {
  return (
    <span class="row">
      {actions.map(({ label, isDangerous = false, onPress }) => (
        <Button
          key={label}
          look={isDangerous ? 'danger' : undefined}
          aria-label={t('action_name', { action: label, name: of })}
          onClick={onPress}
        >
          {label}
        </Button>
      ))}
    </span>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** Stands for the whole page, not for a list on it. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}

/** What stands where a list would: that there is nothing, and what to do next. */
export function Empty({ icon, title, isPage = false, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}
