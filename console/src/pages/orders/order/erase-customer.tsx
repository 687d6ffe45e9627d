import { useSignal } from '@preact/signals';
import type { EraseRequest, ManagedOrder } from '#sdk';
import { client, may } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialogs.js';
import { say } from '../../../ui/toasts.js';
import { WhenLoaded, useLoad } from '../../../ui/loading.js';

interface EraseCustomerProps {
  readonly order: ManagedOrder;
  readonly onErased: () => void;
}

/** Forgets who placed an order, and everything else with the same phone number. */
export function EraseCustomer({ order, onErased }: EraseCustomerProps) {
  const isAsking = useSignal(false);
  const { name, phone } = order.customer;
  if (!may('orders:write') || (name === '' && phone === '')) return null;
  return (
    <>
      <Button onClick={() => (isAsking.value = true)}>{t('erase_the_customer')}</Button>
      {isAsking.value && (
        <EraseDialog order={order} onErased={onErased} onClose={() => (isAsking.value = false)} />
      )}
    </>
  );
}

const LEAST_DIGITS = 4;

function EraseDialog({ order, onErased, onClose }: EraseCustomerProps & { readonly onClose: () => void }) {
  const { phone } = order.customer;
  const wanted: EraseRequest =
    phone.replaceAll(/\D/g, '').length < LEAST_DIGITS ? { order_ids: [order.id] } : { phone };
  const found = useLoad(
    (signal) => client.eraseCustomers({ ...wanted, dry_run: true }, { signal }),
    [order.id],
  );
  return (
    <ConfirmDialog
      title={t('erase_the_customer_question')}
      confirm={t('erase_for_good')}
      isReady={found.value.value !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        await client.eraseCustomers(wanted);
        say(t('the_customer_is_erased'));
        onClose();
        onErased();
      }}
    >
      <WhenLoaded of={found} busy={t('loading')}>
        {({ orders }) => <p>{t('erasing_clears_count_orders', { count: orders })}</p>}
      </WhenLoaded>
    </ConfirmDialog>
  );
}
