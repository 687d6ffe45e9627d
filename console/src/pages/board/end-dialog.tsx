import type { ManagedOrder } from '#sdk';
import { Dialog } from '../../parts/dialog.js';
import { toCallNumber } from '../../parts/format.js';

type Ending = 'REJECTED' | 'STORE_CANCELLED' | 'CUSTOMER_CANCELLED';

interface EndDialogProps {
  readonly order: ManagedOrder;
  readonly onClose: () => void;
  readonly onEnd: (to: Ending) => void;
}

/** Asks before an order ends without being made: there is no way back from it. */
export function EndDialog({ order, onClose, onEnd }: EndDialogProps) {
  const isNew = order.status === 'PENDING';
  const number = toCallNumber(order);
  return (
    <Dialog
      title={isNew ? `Reject ${number}?` : `Cancel ${number}?`}
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button" onClick={onClose}>
            Keep it
          </button>
          <button type="button" class="button" onClick={() => onEnd('CUSTOMER_CANCELLED')}>
            The customer cancelled
          </button>
          <button
            type="button"
            class="button danger primary"
            onClick={() => onEnd(isNew ? 'REJECTED' : 'STORE_CANCELLED')}
          >
            {isNew ? 'Reject the order' : 'The store cancels'}
          </button>
        </>
      }
    >
      <p>
        The order of <bdi class="clamp">{order.customer.name}</bdi> ends for good; it cannot be taken up
        again.
      </p>
    </Dialog>
  );
}
