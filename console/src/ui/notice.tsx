import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

interface NoticeProps {
  readonly icon?: IconName;
  readonly isBad?: boolean;
  /** `alert` where it must not be missed, `status` where it can wait until a sentence is over. */
  readonly role?: 'alert' | 'status';
  readonly children: ComponentChildren;
}

/** Something to know before one goes on. */
export function Notice({ icon = 'warning', isBad = false, role, children }: NoticeProps) {
  return (
    <p class={isBad ? 'notice bad' : 'notice'} role={role}>
      <Icon name={icon} />
      <span>{children}</span>
    </p>
  );
}
