import { useSignal } from '@preact/signals';
import type { ManagedOrder } from '#sdk';
import { t, tx } from '../../../text/t.js';
import { ConfirmDialog } from '../../../ui/dialogs.js';
import { toCallNumber } from '../../../text/format.js';
import { CHOSEN_REASONS, REASON_WORDS, type Reason } from '../../../text/code-words.js';
import { ReasonFields } from './reason-fields.js';

type Ending = 'REJECTED' | 'STORE_CANCELLED' | 'CUSTOMER_CANCELLED';

interface EndDialogProps {
  readonly order: ManagedOrder;
  readonly onClose: () => void;
  readonly onEnd: (to: Ending, why?: { readonly reason: Reason; readonly text?: string | undefined }) => void;
}

const BY_CUSTOMER = 'customer';

/** Asks before an order ends without being made, and why: there is no way back from it. */
export function EndDialog({ order, onClose, onEnd }: EndDialogProps) {
  const isNew = order.status === 'PENDING';
  const number = toCallNumber(order);
  const why = useSignal<Reason | typeof BY_CUSTOMER | undefined>(undefined);
  const text = useSignal('');
  const end = () => {
    const { value: reason } = why;
    if (reason === undefined) return;
    if (reason === BY_CUSTOMER) onEnd('CUSTOMER_CANCELLED');
    else onEnd(isNew ? 'REJECTED' : 'STORE_CANCELLED', { reason, text: text.value.trim() || undefined });
  };
  const reasons = CHOSEN_REASONS.map((reason) => [reason, REASON_WORDS[reason]] as const);
  // "Another reason" comes last.
  const choices = [
    ...reasons.slice(0, -1),
    [BY_CUSTOMER, t('the_customer_cancelled')] as const,
    ...reasons.slice(-1),
  ];
  return (
    <ConfirmDialog
      title={isNew ? t('reject_number_question', { number }) : t('cancel_number_question', { number })}
      confirm={isNew ? t('reject_the_order') : t('cancel_the_order')}
      isReady={why.value !== undefined}
      onConfirm={end}
      onClose={onClose}
    >
      <p>{tx('the_order_of_name_ends_for', { name: <bdi>{order.customer.name.slice(0, 120)}</bdi> })}</p>
      <ReasonFields choices={choices} why={why} text={text} />
    </ConfirmDialog>
  );
}
