import type { ComponentChildren, ComponentType } from 'preact';
import { useId } from 'preact/hooks';
import type { Group, Modifier, Text } from '../api.js';
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
} from '../choices.js';
import type { StepperProps } from './create-stepper.js';

/** What differs between the page for guests and the console. */
export interface ChoiceLook {
  readonly Stepper: ComponentType<StepperProps>;
  readonly findItem: FindItem;
  readonly textOf: (text: Text | undefined) => string;
  readonly words: (word: 'none' | 'sold_out') => string;
  /** How many are to be chosen. */
  readonly hintOf: (group: Group, isMissing: boolean) => ComponentChildren;
  /** What it adds to the price, with a sign; empty where it is nothing. */
  readonly changeOf: (modifier: Modifier) => string;
}

interface FieldsProps {
  readonly groups: readonly Group[];
  readonly choices: Choices;
  readonly onChange: (choices: Choices) => void;
  readonly look: ChoiceLook;
  /** Whether to point out what is missing. */
  readonly isStrict: boolean;
  readonly depth?: number;
}

/** The choices of an item; those of a choice that is itself an item stand below it. */
export function ChoiceFields({ groups, depth = 1, ...rest }: FieldsProps) {
  return (
    <>
      {groups.map((group) => (
        <GroupField key={group.external_id} group={group} depth={depth} {...rest} />
      ))}
    </>
  );
}

interface FieldProps extends Required<Omit<FieldsProps, 'groups'>> {
  readonly group: Group;
}

function GroupField({ group, ...rest }: FieldProps) {
  const id = useId();
  const { choices, onChange, isStrict, depth, look } = rest;
  const isMissing = isStrict && countOf(choices, group) < group.group_min;
  const description = look.textOf(group.description);
  return (
    <fieldset
      class={depth === 1 ? 'choice-group' : 'choice-group nested'}
      aria-describedby={`${id}-hint`}
      data-missing={isMissing}
    >
      <legend>{look.textOf(group.name)}</legend>
      <p class="hint" id={`${id}-hint`}>
        {look.hintOf(group, isMissing)}
      </p>
      {description !== '' && <p class="soft small">{description}</p>}
      {isSingle(group) && group.group_min === 0 && (
        <label class="choice">
          <input
            type="radio"
            name={id}
            checked={countOf(choices, group) === 0}
            onChange={() => onChange({ ...choices, [group.external_id]: {} })}
          />
          <span class="name">{look.words('none')}</span>
        </label>
      )}
      {group.modifier_items.map((modifier) => (
        <Choice key={modifier.external_id} {...{ group, modifier }} {...rest} radioName={id} />
      ))}
    </fieldset>
  );
}

interface ChoiceProps extends FieldProps {
  readonly modifier: Modifier;
  readonly radioName: string;
}

function Choice({ group, modifier, radioName, ...rest }: ChoiceProps) {
  const { choices, onChange, depth, look } = rest;
  const { Stepper, findItem, textOf, words } = look;
  const chosen = chosenOf(choices, group, modifier);
  const quantity = chosen?.quantity ?? 0;
  const most = modifier.in_stock ? mostOf(choices, group, modifier) : 0;
  const least = Math.max(1, modifier.min_quantity);
  const isOff = most === 0 && quantity === 0;
  const name = textOf(modifier.name);
  const description = textOf(modifier.description);
  const change = look.changeOf(modifier);
  const set = (wanted: number) => {
    // One alone takes the place of the other.
    const before = isSingle(group) ? { ...choices, [group.external_id]: {} } : choices;
    onChange(choose(before, group, modifier, wanted, { depth, findItem }));
  };
  const nested = groupsBehind(modifier, depth, findItem);
  const label = (
    <>
      <span class="name">
        <bdi>{name}</bdi>
        {!modifier.in_stock && <span class="tag badge bad">{words('sold_out')}</span>}
        {description !== '' && <small class="soft">{description}</small>}
      </span>
      {change !== '' && <span class="price number">{change}</span>}
    </>
  );
  return (
    <>
      {!isSingle(group) && modifier.max_quantity > 1 ? (
        <div class="choice" data-off={isOff}>
          {label}
          <Stepper
            name={name}
            value={quantity}
            most={most}
            onChange={(wanted) => set(wanted < least ? (wanted > quantity ? least : 0) : wanted)}
          />
        </div>
      ) : (
        <label class="choice" data-off={isOff}>
          <input
            type={isSingle(group) ? 'radio' : 'checkbox'}
            name={radioName}
            checked={quantity > 0}
            disabled={isOff}
            onChange={({ currentTarget }) => set(currentTarget.checked ? least : 0)}
          />
          {label}
        </label>
      )}
      {chosen !== undefined && nested.length > 0 && (
        <div class="choice-nest">
          <ChoiceFields
            groups={nested}
            choices={chosen.choices}
            onChange={(inner) => onChange(withChosen(choices, group, modifier, { quantity, choices: inner }))}
            look={look}
            isStrict={rest.isStrict}
            depth={depth + 1}
          />
        </div>
      )}
    </>
  );
}
