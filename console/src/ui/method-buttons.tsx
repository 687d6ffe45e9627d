import type { Payment } from '#sdk';
import { METHOD_WORDS } from '../text/code-words.js';
import { t } from '../text/t.js';
import { Button } from './button.js';

interface MethodButtonsProps {
  readonly isDisabled: boolean;
  readonly onChoose: (method: Payment['method']) => void;
}

/** How something was paid, with one tap. */
export function MethodButtons({ isDisabled, onChoose }: MethodButtonsProps) {
  return (
    <div class="methods" role="group" aria-label={t('paid_by')}>
      {(Object.keys(METHOD_WORDS) as Payment['method'][]).map((method) => (
        <Button key={method} disabled={isDisabled} onClick={() => onChoose(method)}>
          {METHOD_WORDS[method]}
        </Button>
      ))}
    </div>
  );
}
