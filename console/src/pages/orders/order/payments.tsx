import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ManagedOrder, ManagedStore, Payment } from '#sdk';
import { formatAmount, parseAmount } from '../../../../../src/menu-files/sheet/money.js';
import { client, may } from '../../../data/session.js';
import { timezoneOf } from '../../../data/stores.js';
import { decimalSign, toDateTime, toMoney } from '../../../text/format.js';
import { METHOD_WORDS } from '../../../text/code-words.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialogs.js';
import { Trouble, useTask } from '../../../ui/loading.js';
import { InputField } from '../../../ui/field.js';
import { MethodButtons } from '../../../ui/method-buttons.js';
import { Due } from '../order-facts.js';

interface PaymentsProps {
  readonly order: ManagedOrder;
  readonly store: ManagedStore;
  readonly onChanged: () => void;
}

/** What was paid, and what is due. */
export function Payments({ order, store, onChanged }: PaymentsProps) {
  const { payments = [] } = order;
  const isAdding = useSignal(false);
  return (
    <section class="panel stack" aria-labelledby="payments">
      <h2 id="payments" class="row">
        {t('payment')} <Due due={order.due} currency={store.currency} />
      </h2>
      {payments.length > 0 && (
        <dl class="totals number">
          {payments.map(({ id, method, amount, reference, at }) => (
            <div key={id}>
              <dt>
                {METHOD_WORDS[method]} <bdi class="soft">{reference}</bdi>{' '}
                <span class="soft small">{toDateTime(at, timezoneOf(store))}</span>
              </dt>
              <dd>{toMoney(amount, store.currency)}</dd>
            </div>
          ))}
        </dl>
      )}
      {may('orders:write') && (
        <div class="actions">
          <Button icon="plus" onClick={() => (isAdding.value = true)}>
            {t('add_a_payment')}
          </Button>
        </div>
      )}
      {isAdding.value && (
        <AddPayment
          {...{ order, store }}
          onClose={() => (isAdding.value = false)}
          onAdded={() => {
            isAdding.value = false;
            onChanged();
          }}
        />
      )}
    </section>
  );
}

interface AddPaymentProps extends Omit<PaymentsProps, 'onChanged'> {
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

/** All that is due with one tap on how it was paid; another amount is typed first. */
function AddPayment({ order, store, onClose, onAdded }: AddPaymentProps) {
  const { isBusy, error, run } = useTask();
  const text = useSignal(formatAmount(order.due, store.currency, decimalSign()));
  const amount = parseAmount(text.value, store.currency);
  // An answer that is lost must not lead to a second payment.
  const externalId = useMemo(() => `console-${Date.now()}-${Math.random().toString(36).slice(2)}`, []);
  const pay = (method: Payment['method']) =>
    run(async () => {
      if (amount === undefined) return;
      await client.addPayment(order.id, { method, amount, external_id: externalId });
      onAdded();
    });
  return (
    <Dialog title={t('add_a_payment')} onClose={onClose}>
      <Trouble error={error.value} />
      <InputField
        label={t('amount')}
        value={text.value}
        hint={t('a_refund_has_a_minus')}
        error={amount === undefined ? t('not_an_amount') : undefined}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <MethodButtons isDisabled={isBusy.value || amount === undefined} onChoose={pay} />
    </Dialog>
  );
}
