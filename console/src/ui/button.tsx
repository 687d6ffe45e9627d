import type { JSX } from 'preact';
import { Icon, type IconName } from './icon.js';

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'class'> {
  /** Classes beside that of all buttons, such as `danger` for what has no way back. */
  readonly look?: string | undefined;
  /** Before the words; without any, `aria-label` says what it does. */
  readonly icon?: IconName;
}

/** Does something on this page. */
export function Button({ look, icon, children, ...rest }: ButtonProps) {
  return (
    <button type="button" class={look === undefined ? 'button' : `button ${look}`} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}
