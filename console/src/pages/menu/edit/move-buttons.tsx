import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';

interface MoveButtonsProps {
  readonly name: string;
  readonly index: number;
  /** How many the list has. */
  readonly count: number;
  readonly move: (from: number, to: number) => void;
}

/** Moves one of a list up or down. */
export function MoveButtons({ name, index, count, move }: MoveButtonsProps) {
  return (
    <>
      <Button
        look="square up"
        icon="left"
        aria-label={t('move_name_up', { name })}
        disabled={index === 0}
        onClick={() => move(index, index - 1)}
      />
      <Button
        look="square down"
        icon="left"
        aria-label={t('move_name_down', { name })}
        disabled={index === count - 1}
        onClick={() => move(index, index + 1)}
      />
    </>
  );
}
