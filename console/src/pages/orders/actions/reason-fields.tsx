import type { Signal } from '@preact/signals';
import { t } from '../../../text/t.js';
import { InputField } from '../../../ui/field.js';

interface ReasonFieldsProps<Choice extends string> {
  readonly choices: readonly (readonly [Choice, string])[];
  readonly why: Signal<Choice | undefined>;
  readonly text: Signal<string>;
}

const MOST_TEXT = 200;

/** Why something is done to an order; another reason than those to choose from is told in words. */
export function ReasonFields<Choice extends string>({ choices, why, text }: ReasonFieldsProps<Choice>) {
  return (
    <>
      <div class="reasons" role="radiogroup" aria-label={t('why')}>
        {choices.map(([choice, words]) => (
          <label key={choice} class="check">
            <input
              type="radio"
              name="why"
              checked={why.value === choice}
              onChange={() => (why.value = choice)}
            />
            <span>{words}</span>
          </label>
        ))}
      </div>
      {why.value === 'other' && (
        <InputField
          label={t('what_the_guest_is_told')}
          maxLength={MOST_TEXT}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      )}
    </>
  );
}
