import type { FindItem } from '../../../../../guest/src/choices.js';
import type { ChoiceLook } from '../../../../../guest/src/parts/choice-fields.js';
import { toPriceChange, toText } from '../../../text/format.js';
import { describeRule } from '../../../text/rule-words.js';
import { t } from '../../../text/t.js';
import { Stepper } from '../../../ui/stepper.js';

/** How the staff are asked for the choices of an item. */
export function choiceLook(findItem: FindItem, currency: string | undefined): ChoiceLook {
  return {
    Stepper,
    findItem,
    textOf: (text) => toText(text),
    words: (word) => t(word),
    hintOf: (group) => <span class="soft small">{describeRule(group)}</span>,
    changeOf: ({ price_change: price, tax_change: tax }) => toPriceChange(price + tax, currency),
  };
}
