import type { MenuChangeResult } from '#sdk';
import { t } from '../../../text/t.js';
import { OddPrices, describeOddPrice, type NameOf } from '../changes/price-notices.js';
import { nameOf } from './names.js';
import type { Draft } from './use-draft.js';

interface WarningsProps {
  readonly found: MenuChangeResult;
  readonly draft: Draft;
}

type Warning = MenuChangeResult['warnings'][number];

/** Odd prices of this draft first, then its other warnings, and folded away what was so before. */
export function Warnings({ found, draft }: WarningsProps) {
  const ofDraft = found.warnings.filter(({ loc }) => loc[1] === 'changes');
  const called: NameOf = (kind, id) => nameOf(draft.menu[kind].get(id), id);
  const odd = ofDraft.flatMap((warning) => describeOddPrice(warning, called) ?? []);
  const others = ofDraft.filter((warning) => describeOddPrice(warning, called) === undefined);
  const older = found.warnings.filter(({ loc }) => loc[1] !== 'changes');
  return (
    <>
      <OddPrices texts={odd} />
      {others.length > 0 && (
        <details class="panel warnings" open>
          <summary>{t('count_things_in_it_may_not', { count: others.length })}</summary>
          <Messages of={others} />
        </details>
      )}
      {older.length > 0 && (
        <details class="panel warnings">
          <summary>{t('notes_about_what_you_have_not_changed')}</summary>
          <Messages of={older} />
        </details>
      )}
    </>
  );
}

function Messages({ of: warnings }: { readonly of: readonly Warning[] }) {
  return (
    <ul>
      {warnings.map(({ msg }) => (
        <li key={msg}>{msg}</li>
      ))}
    </ul>
  );
}
