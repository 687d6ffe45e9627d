import { useId } from 'preact/hooks';
import type { Group, Modifier } from '../../../../../guest/src/api.js';
import {
  choose,
  chosenOf,
  countOf,
  groupsBehind,
  isSingle,
  mostOf,
  withChosen,
  type Choices,
  type FindItem,
} from '../../../../../guest/src/choices.js';
import { toPriceChange, toText } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { Stepper } from '../../../ui/stepper.js';

interface ChoiceFieldsProps {
  readonly groups: readonly Group[];
  readonly choices: Choices;
  readonly findItem: FindItem;
  readonly currency: string | undefined;
  readonly onChange: (choices: Choices) => void;
  readonly depth?: number;
}

/** The choices of an item; those of a choice that is itself an item stand below it. */
export function ChoiceFields({ groups, depth = 1, ...rest }: ChoiceFieldsProps) {
  return (
    <>
      {groups.map((group) => (
        <GroupField key={group.external_id} group={group} depth={depth} {...rest} />
      ))}
    </>
  );
}

type GroupFieldProps = Required<Omit<ChoiceFieldsProps, 'groups'>> & { readonly group: Group };

function GroupField({ group, ...rest }: GroupFieldProps) {
  const name = useId();
  const { choices, onChange } = rest;
  const { group_min: least, group_max: most } = group;
  return (
    <fieldset class="choice-group" data-missing={countOf(choices, group) < least}>
      <legend>
        {toText(group.name)}{' '}
        <span class="soft small">
          {most === 0 ? `${least}+` : least === most ? least : `${least}–${most}`}
        </span>
      </legend>
      {isSingle(group) && least === 0 && (
        <label class="check">
          <input
            type="radio"
            name={name}
            checked={countOf(choices, group) === 0}
            onChange={() => onChange({ ...choices, [group.external_id]: {} })}
          />
          <span>{t('none')}</span>
        </label>
      )}
      {group.modifier_items.map((modifier) => (
        <Option key={modifier.external_id} {...{ group, modifier }} {...rest} radioName={name} />
      ))}
    </fieldset>
  );
}

interface OptionProps extends GroupFieldProps {
  readonly modifier: Modifier;
  readonly radioName: string;
}

function Option({ group, modifier, radioName, ...rest }: OptionProps) {
  const { choices, onChange, findItem, depth, currency } = rest;
  const chosen = chosenOf(choices, group, modifier);
  const quantity = chosen?.quantity ?? 0;
  const most = modifier.in_stock ? mostOf(choices, group, modifier) : 0;
  const least = Math.max(1, modifier.min_quantity);
  const name = toText(modifier.name);
  const set = (wanted: number) => {
    // One alone takes the place of the other.
    const before = isSingle(group) ? { ...choices, [group.external_id]: {} } : choices;
    onChange(choose(before, group, modifier, wanted, { depth, findItem }));
  };
  const words = (
    <span>
      <bdi>{name}</bdi>{' '}
      <span class="soft number">{toPriceChange(modifier.price_change + modifier.tax_change, currency)}</span>
      {!modifier.in_stock && <span class="badge bad">{t('sold_out')}</span>}
    </span>
  );
  const nested = groupsBehind(modifier, depth, findItem);
  return (
    <>
      {!isSingle(group) && modifier.max_quantity > 1 ? (
        <div class="spread">
          {words}
          <Stepper
            name={name}
            value={quantity}
            most={most}
            onChange={(wanted) => set(wanted < least ? (wanted > quantity ? least : 0) : wanted)}
          />
        </div>
      ) : (
        <label class="check">
          <input
            type={isSingle(group) ? 'radio' : 'checkbox'}
            name={radioName}
            checked={quantity > 0}
            disabled={most === 0 && quantity === 0}
            onChange={({ currentTarget }) => set(currentTarget.checked ? least : 0)}
          />
          {words}
        </label>
      )}
      {chosen !== undefined && nested.length > 0 && (
        <div class="choice-nest">
          <ChoiceFields
            {...{ findItem, currency }}
            groups={nested}
            choices={chosen.choices}
            onChange={(inner) => onChange(withChosen(choices, group, modifier, { quantity, choices: inner }))}
            depth={depth + 1}
          />
        </div>
      )}
    </>
  );
}
