import { useSignal } from '@preact/signals';
import type { ItemMark } from '#sdk';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialogs.js';
import { StockChoices } from './stock-choices.js';

interface SelectionBarProps {
  readonly count: number;
  readonly isBusy: boolean;
  readonly timezone: string;
  readonly stations: readonly string[];
  readonly onMark: (mark: ItemMark) => void;
}

/** What to do with the chosen items, within reach of a thumb. */
export function SelectionBar({ count, isBusy, timezone, stations, onMark }: SelectionBarProps) {
  const isOpened = useSignal(false);
  const isIdle = !isBusy && count > 0;
  const close = () => (isOpened.value = false);
  return (
    <div class="selection-bar" role="region" aria-label={t('chosen_items')}>
      <span role="status">
        {isBusy
          ? t('one_moment')
          : count === 0
            ? t('tap_the_items_to_choose')
            : t('count_items_chosen', { count })}
      </span>
      <span class="row">
        <Button disabled={!isIdle} onClick={() => onMark({ in_stock: true })}>
          {t('back_in_stock')}
        </Button>
        <Button look="danger primary" disabled={!isIdle} onClick={() => (isOpened.value = true)}>
          {t('mark_sold_out')}
        </Button>
      </span>
      {isOpened.value && (
        <Dialog title={t('count_items', { count })} onClose={close}>
          <StockChoices
            timezone={timezone}
            station={undefined}
            stations={stations}
            isBusy={isBusy}
            onMark={(mark) => {
              close();
              onMark(mark);
            }}
          />
        </Dialog>
      )}
    </div>
  );
}
