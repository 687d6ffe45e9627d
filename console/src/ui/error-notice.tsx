import type { ComponentChildren } from 'preact';
import { t } from '../text/t.js';
import { detailsOf, sentencesOf } from '../text/error-words.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

interface TroubleProps {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}

/** An error in words for people; what an operator finds it by is behind one more tap. */
export function Trouble({ error, retry }: TroubleProps) {
  const again = retry && <Button onClick={retry}>{t('try_again')}</Button>;
  return (
    <Refusal sentences={sentencesOf(error)} action={again}>
      <Details lines={detailsOf(error)} />
    </Refusal>
  );
}

interface RefusalProps {
  readonly sentences: readonly ComponentChildren[];
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Why something cannot be done. */
export function Refusal({ sentences, action, children }: RefusalProps) {
  return (
    <div class="trouble" role="alert">
      <Icon name="warning" />
      <div>
        {sentences.map((sentence, i) => (
          <p key={i}>{sentence}</p>
        ))}
        {children}
      </div>
      {action}
    </div>
  );
}

/** What helps whoever is asked for help. */
export function Details({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details class="small">
      <summary>{t('details')}</summary>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </details>
  );
}
