import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';

interface NoticeProps {
  readonly kind: 'bad' | 'wait' | 'info';
  readonly children: ComponentChildren;
}

/** Something the guest should know at once; read aloud where the page is. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={kind === 'bad' ? 'warning' : 'clock'} />
      <div>{children}</div>
    </div>
  );
}
