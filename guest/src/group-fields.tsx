import { useId } from 'preact/hooks';
import type { Group, Modifier } from './api.js';
import {
  choose,
  chosenOf,
  countOf,
  groupsBehind,
  isSingle,
  mostOf,
  withChosen,
  type Choices,
} from './choices.js';
import { t, textOf } from './language.js';
import { Stepper } from './parts/stepper.js';
import { findItem, money } from './place.js';

interface FieldsProps {
  readonly groups: readonly Group[];
  readonly choices: Choices;
  readonly onChange: (choices: Choices) => void;
  /** Whether to point out what is missing. */
  readonly isStrict: boolean;
  readonly depth?: number;
}

/** The choices of an item; those of a choice that is itself an item stand below it. */
export function GroupFields({ groups, choices, onChange, isStrict, depth = 1 }: FieldsProps) {
  return (
    <>
      {groups.map((group) => (
        <GroupField
          key={group.external_id}
          group={group}
          choices={choices}
          onChange={onChange}
          isStrict={isStrict}
          depth={depth}
        />
      ))}
    </>
  );
}

interface FieldProps extends Required<Omit<FieldsProps, 'groups'>> {
  readonly group: Group;
}

function GroupField({ group, choices, onChange, isStrict, depth }: FieldProps) {
  const id = useId();
  const isMissing = isStrict && countOf(choices, group) < group.group_min;
  const isOptionalSingle = isSingle(group) && group.group_min === 0;
  return (
    <fieldset
      class={depth === 1 ? 'group' : 'group nested'}
      aria-describedby={`${id}-hint`}
      data-missing={isMissing}
    >
      <legend>{textOf(group.name)}</legend>
      <p class="hint" id={`${id}-hint`}>
        <span class={group.group_min > 0 ? 'need' : 'soft'}>{hintOf(group)}</span>
        {group.charge_after > 0 && <span class="tag good">{t('free', { count: group.charge_after })}</span>}
        {isMissing && <span class="bad">{t('still_to_choose')}</span>}
      </p>
      {textOf(group.description) !== '' && <p class="soft small">{textOf(group.description)}</p>}
      {isOptionalSingle && (
        <label class="option">
          <input
            type="radio"
            name={id}
            checked={countOf(choices, group) === 0}
            onChange={() => onChange({ ...choices, [group.external_id]: {} })}
          />
          <span class="name">{t('none')}</span>
        </label>
      )}
      {group.modifier_items.map((modifier) => (
        <Option
          key={modifier.external_id}
          {...{ group, modifier, choices, onChange, isStrict, depth }}
          radioName={id}
        />
      ))}
    </fieldset>
  );
}

function hintOf({ group_min: least, group_max: most }: Group): string {
  if (least === 0) return most === 0 || most === 1 ? t('optional') : t('choose_most', { count: most });
  if (least === most) return t('choose_exactly', { count: least });
  return most === 0 ? t('choose_least', { count: least }) : t('choose_range', { least, most });
}

interface OptionProps extends FieldProps {
  readonly modifier: Modifier;
  readonly radioName: string;
}

function Option({ group, modifier, choices, onChange, isStrict, depth, radioName }: OptionProps) {
  const chosen = chosenOf(choices, group, modifier);
  const quantity = chosen?.quantity ?? 0;
  const most = modifier.in_stock ? mostOf(choices, group, modifier) : 0;
  const least = Math.max(1, modifier.min_quantity);
  const name = textOf(modifier.name);
  const set = (wanted: number) => {
    // One alone takes the place of the other.
    const before = isSingle(group) ? { ...choices, [group.external_id]: {} } : choices;
    onChange(choose(before, group, modifier, wanted, { depth, findItem }));
  };
  const isCounted = !isSingle(group) && modifier.max_quantity > 1;
  const nested = chosen === undefined ? [] : groupsBehind(modifier, depth, findItem);
  const label = (
    <span class="name">
      {name}
      {!modifier.in_stock && <span class="tag bad">{t('sold_out')}</span>}
      {textOf(modifier.description) !== '' && <small class="soft">{textOf(modifier.description)}</small>}
    </span>
  );
  return (
    <>
      {isCounted ? (
        <div class="option" data-off={most === 0 && quantity === 0}>
          {label}
          <Price modifier={modifier} />
          <Stepper
            name={name}
            value={quantity}
            least={0}
            most={most}
            onChange={(wanted) => set(wanted < least ? (wanted > quantity ? least : 0) : wanted)}
          />
        </div>
      ) : (
        <label class="option" data-off={most === 0 && quantity === 0}>
          <input
            type={isSingle(group) ? 'radio' : 'checkbox'}
            name={radioName}
            checked={quantity > 0}
            disabled={most === 0 && quantity === 0}
            onChange={({ currentTarget }) => set(currentTarget.checked ? least : 0)}
          />
          {label}
          <Price modifier={modifier} />
        </label>
      )}
      {chosen !== undefined && nested.length > 0 && (
        <div class="nest">
          <GroupFields
            groups={nested}
            choices={chosen.choices}
            onChange={(inner) => onChange(withChosen(choices, group, modifier, { quantity, choices: inner }))}
            isStrict={isStrict}
            depth={depth + 1}
          />
        </div>
      )}
    </>
  );
}

function Price({ modifier: { price_change: price, tax_change: tax } }: { readonly modifier: Modifier }) {
  const change = price + tax;
  if (change === 0) return null;
  const sign = change < 0 ? '−' : '+';
  return (
    <span class="price">
      {sign}
      {money(Math.abs(change))}
    </span>
  );
}
