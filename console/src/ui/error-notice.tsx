import { t } from '../text/t.js';
import { detailsOf, sentencesOf } from '../text/error-words.js';
import { Icon } from './icon.js';

interface TroubleProps {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}

/** An error in words for people; what an operator finds it by is behind one more tap. */
export function Trouble({ error, retry }: TroubleProps) {
  return (
    <div class="trouble" role="alert">
      <Icon name="warning" />
      <div>
        {sentencesOf(error).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <Details lines={detailsOf(error)} />
      </div>
      {retry !== undefined && (
        <button type="button" class="button" onClick={retry}>
          {t('try_again')}
        </button>
      )}
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
