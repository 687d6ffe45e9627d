import { toList, toMoney } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Stepper } from '../../../ui/stepper.js';
import { toOrderLines } from '../read-lines.js';
import { withNames, type DraftLine } from './draft.js';

const MOST_UNITS = 999;

interface DraftLinesProps {
  readonly lines: readonly DraftLine[];
  readonly currency: string | undefined;
  readonly onChange: (lines: readonly DraftLine[]) => void;
}

/** The lines of an order that is being put together, each with how many of it. */
export function DraftLines({ lines, currency, onChange }: DraftLinesProps) {
  const shown = toOrderLines(
    lines.map(({ sent, named, quantity }) => ({
      ...withNames(sent, named),
      quantity: Math.max(quantity, 1),
    })),
  );
  return (
    <ul class="draft-lines">
      {shown.map(({ name, choices, note, total }, i) => {
        const { quantity = 0, was = 0 } = lines[i] ?? {};
        const set = (wanted: number) =>
          onChange(lines.map((line, j) => (j === i ? { ...line, quantity: wanted } : line)));
        return (
          <li key={i} data-state={quantity === 0 ? 'removed' : quantity === was ? 'kept' : 'changed'}>
            <div>
              <bdi>{name}</bdi>
              {choices.length > 0 && (
                <span class="soft small">
                  {' '}
                  <bdi>
                    {toList(
                      choices.map(
                        (choice) => (choice.quantity === '1' ? '' : `${choice.quantity}× `) + choice.name,
                      ),
                    )}
                  </bdi>
                </span>
              )}
              {quantity !== was && (
                <>
                  {' '}
                  <span class="badge">
                    {was} <span class="sideways arrow">→</span> {quantity}
                  </span>
                </>
              )}
              {note !== undefined && (
                <p class="line-note">
                  <bdi>“{note}”</bdi>
                </p>
              )}
            </div>
            <span class="number">
              {quantity === 0 ? '' : total === undefined ? '' : toMoney(total, currency)}
            </span>
            <Stepper name={name} value={quantity} most={MOST_UNITS} onChange={set} />
            <Button aria-label={t('remove_name', { name })} disabled={quantity === 0} onClick={() => set(0)}>
              {t('remove')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
