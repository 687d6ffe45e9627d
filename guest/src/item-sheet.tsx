import { useRef, useState } from 'preact/hooks';
import type { Item } from './api.js';
import { gross, keepLine, MOST_UNITS, type BasketLine } from './basket.js';
import { CHOICE_LOOK } from './choice-look.js';
import { defaultsOf, findProblems, priceOf } from './choices.js';
import { ItemFacts, ItemPhoto } from './item-facts.js';
import { t, textOf } from './language.js';
import { ChoiceFields } from './parts/choice-fields.js';
import { Sheet } from './parts/sheet.js';
import { Stepper } from './parts/stepper.js';
import { findItem, isOpen, money } from './place.js';
import { randomId } from './random-id.js';

interface ItemSheetProps {
  readonly item: Item;
  /** The line to change; without one, a new one is added. */
  readonly line: BasketLine | undefined;
  readonly onClose: () => void;
}

const LONGEST_NOTE = 500;

export function ItemSheet({ item, line, onClose }: ItemSheetProps) {
  const [choices, setChoices] = useState(
    () => line?.choices ?? defaultsOf(item.modifier_groups, { depth: 1, findItem }),
  );
  const [quantity, setQuantity] = useState(line?.quantity ?? 1);
  const [note, setNote] = useState(line?.note ?? '');
  const [isStrict, setStrict] = useState(line !== undefined);
  const form = useRef<HTMLDivElement>(null);
  const unit = gross(priceOf(item, choices, findItem));
  const canOrder = isOpen.value && item.in_stock;
  const name = textOf(item.name);

  const keep = () => {
    if (findProblems(item.modifier_groups, choices, findItem).length > 0) {
      setStrict(true);
      requestAnimationFrame(() => showFirstMissing(form.current));
      return;
    }
    const { external_id: externalId } = item;
    const id = line?.id ?? randomId();
    keepLine({ id, item: externalId, name: item.name, quantity, choices, note: note.trim(), seen: unit });
    onClose();
  };
  const footer = canOrder && (
    <>
      <Stepper
        name={t('quantity')}
        value={quantity}
        least={1}
        most={Math.min(MOST_UNITS, item.left ?? MOST_UNITS)}
        onChange={setQuantity}
      />
      <button type="button" class="button primary wide" onClick={keep}>
        <span>{t(line === undefined ? 'add' : 'save')}</span>
        <span class="price">{money(unit * quantity)}</span>
      </button>
    </>
  );
  return (
    <Sheet title={name} onClose={onClose} {...(canOrder ? { footer } : {})}>
      <div class="stack" ref={form}>
        <ItemPhoto item={item} isWhole />
        <ItemFacts item={item} isWhole />
        {item.modifier_groups.length > 0 && (
          <ChoiceFields
            look={CHOICE_LOOK}
            groups={item.modifier_groups}
            choices={choices}
            onChange={setChoices}
            isStrict={isStrict}
          />
        )}
        {canOrder && (
          <label class="field">
            {t('note')}
            <input
              class="input"
              value={note}
              maxLength={LONGEST_NOTE}
              onInput={({ currentTarget }) => setNote(currentTarget.value)}
            />
          </label>
        )}
      </div>
    </Sheet>
  );
}

function showFirstMissing(form: HTMLElement | null): void {
  const missing = form?.querySelector('[data-missing="true"], .choice:has(:checked:disabled)');
  missing?.scrollIntoView({ block: 'center' });
  missing?.querySelector<HTMLElement>('input:enabled, button:enabled')?.focus({ preventScroll: true });
}
