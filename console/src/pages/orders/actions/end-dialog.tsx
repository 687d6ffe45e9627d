import type { ManagedOrder } from '#sdk';
import { t } from '../../../text/t.js';
import { tx } from '../../../text/tx.js';
import { Dialog } from '../../../ui/dialog.js';
import { toCallNumber } from '../../../text/format.js';
import { CHOSEN_REASONS, REASON_WORDS, type Reason } from '../../../text/reason-words.js';

type Ending = 'REJECTED' | 'STORE_CANCELLED' | 'CUSTOMER_CANCELLED';

interface EndDialogProps {
  readonly order: ManagedOrder;
  readonly onClose: () => void;
  readonly onEnd: (to: Ending, reason?: Reason) => void;
}

/** Asks before an order ends without being made: there is no way back from it. */
export function EndDialog({ order, onClose, onEnd }: EndDialogProps) {
  const isNew = order.status === 'PENDING';
  const number = toCallNumber(order);
  const ending = isNew ? 'REJECTED' : 'STORE_CANCELLED';
  return (
    <Dialog
      title={isNew ? t('reject_number_question', { number }) : t('cancel_number_question', { number })}
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button" onClick={onClose}>
            {t('keep_it')}
          </button>
          <button type="button" class="button" onClick={() => onEnd('CUSTOMER_CANCELLED')}>
            {t('the_customer_cancelled')}
          </button>
          <button type="button" class="button danger primary" onClick={() => onEnd(ending)}>
            {isNew ? t('reject_the_order') : t('the_store_cancels')}
          </button>
        </>
      }
    >
      <p>{tx('the_order_of_name_ends_for', { name: <bdi>{order.customer.name.slice(0, 120)}</bdi> })}</p>
      <div class="reasons">
        {CHOSEN_REASONS.map((reason) => (
          <button key={reason} type="button" class="button" onClick={() => onEnd(ending, reason)}>
            {REASON_WORDS[reason]}
          </button>
        ))}
      </div>
    </Dialog>
  );
}
