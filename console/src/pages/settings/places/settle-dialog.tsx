import { useSignal } from '@preact/signals';
import { ApiError, type ListedPlace, type ManagedStore, type Payment } from '#sdk';
import { client } from '../../../data/session.js';
import { toCallNumber, toMoney } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { Dialog } from '../../../ui/dialogs.js';
import { Trouble, WhenLoaded, useLoad, useTask } from '../../../ui/loading.js';
import { Notice } from '../../../ui/notice.js';
import { MethodButtons } from '../../../ui/method-buttons.js';

interface SettleDialogProps {
  readonly store: ManagedStore;
  readonly place: ListedPlace;
  readonly onClose: () => void;
  readonly onSettled: (words: string) => void;
}

/** The bill of a place, paid with one tap; should an order come in between, the new bill is shown first. */
export function SettleDialog({ store, place, onClose, onSettled }: SettleDialogProps) {
  const loaded = useLoad((signal) => client.getBill(store.id, place.id, { signal }), [place.id]);
  const hasMoved = useSignal(false);
  const { isBusy, error, run } = useTask();
  const settle = (method: Payment['method'], due: number) =>
    run(async () => {
      try {
        await client.settleBill(store.id, place.id, { method, expected_due: due });
        onSettled(t('name_is_settled', { name: place.label }));
      } catch (refusal) {
        if (!(refusal instanceof ApiError) || refusal.status !== 409) throw refusal;
        hasMoved.value = true;
        loaded.reload();
      }
    });
  return (
    <Dialog title={t('settle_name', { name: place.label })} onClose={onClose}>
      <Trouble error={error.value} />
      {hasMoved.value && <Notice role="alert">{t('the_bill_has_moved')}</Notice>}
      <WhenLoaded of={loaded} busy={t('reading_the_bill')}>
        {({ orders, due }) => (
          <>
            <dl class="bill number">
              {orders.map((order) => (
                <div key={order.id}>
                  <dt>{t('order_number', { number: toCallNumber(order) })}</dt>
                  <dd>{toMoney(order.due, store.currency)}</dd>
                </div>
              ))}
              <div class="sum">
                <dt>{t('due')}</dt>
                <dd>{toMoney(due, store.currency)}</dd>
              </div>
            </dl>
            <MethodButtons
              isDisabled={isBusy.value || loaded.isLoading.value || due === 0}
              onChoose={(method) => settle(method, due)}
            />
          </>
        )}
      </WhenLoaded>
    </Dialog>
  );
}
