import type { MenuChangeResult } from '#sdk';
import { locale, t } from '../../../text/t.js';
import { Icon } from '../../../ui/icon.js';
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
  const odd = ofDraft.flatMap((warning) => describeOddPrice(warning, draft) ?? []);
  const others = ofDraft.filter((warning) => describeOddPrice(warning, draft) === undefined);
  const older = found.warnings.filter(({ loc }) => loc[1] !== 'changes');
  return (
    <>
      {odd.length > 0 && (
        <div class="notice" role="alert">
          <Icon name="warning" />
          <div>
            <strong>{t('check_these_prices')}</strong>
            <ul>
              {odd.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
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

/** Without amounts, so it holds with and without tax. */
function describeOddPrice({ type, ctx = {} }: Warning, draft: Draft): string | undefined {
  const { external_id: id, before, after, price, median } = ctx;
  const kind = ctx['kind'] === 'modifier_item' ? 'modifier_item' : 'item';
  const name = nameOf(draft.menu[kind].get(String(id)), String(id));
  const times = (over: unknown, under: unknown) =>
    (Number(over) / Number(under)).toLocaleString(locale(), { maximumSignificantDigits: 2 });
  if (type === 'price_jump')
    return t('name_price_becomes_factor_times', { name, factor: times(after, before) });
  if (type === 'price_outlier')
    return t('name_costs_factor_times_its_category', { name, factor: times(price, median) });
  return undefined;
}
