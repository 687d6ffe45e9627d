import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

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
