import { useSignal } from '@preact/signals';
import { ApiError, type ManagedOrder, type ManagedStore } from '#sdk';
import { client, may } from '../../../data/session.js';
import { timezoneOf } from '../../../data/stores.js';
import { toCallNumber, toMoney, toPriceChange } from '../../../text/format.js';
import { CHOSEN_REASONS, REASON_WORDS, type Reason } from '../../../text/code-words.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialogs.js';
import { Notice } from '../../../ui/notice.js';
import { say } from '../../../ui/toasts.js';
import { useTask } from '../../../ui/loading.js';
import { ReasonFields } from '../actions/reason-fields.js';
import { AddFromMenu } from './add-from-menu.js';
import { DraftLines } from './draft-lines.js';
import {
  draftOf,
  isChanged,
  itemsOf,
  namedItemsOf,
  totalByMenu,
  totalOf,
  type DraftLine,
  type Total,
} from './draft.js';
import { OrderTrouble } from './order-trouble.js';
import './change.css';

interface ChangeOrderProps {
  readonly order: ManagedOrder;
  readonly store: ManagedStore;
  readonly onChanged: () => void;
}

/** Changes what an open order asks for. */
export function ChangeOrder(props: ChangeOrderProps) {
  const isOpen = useSignal(false);
  if (!may('orders:write')) return null;
  return (
    <>
      <Button icon="edit" onClick={() => (isOpen.value = true)}>
        {t('change_order')}
      </Button>
      {isOpen.value && <ChangeDialog {...props} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

const REASONS = CHOSEN_REASONS.map((reason) => [reason, REASON_WORDS[reason]] as const);

interface ChangeDialogProps extends ChangeOrderProps {
  readonly onClose: () => void;
}

function ChangeDialog({ order: latest, store, onChanged, onClose }: ChangeDialogProps) {
  // What others do to the order while it is changed here is no part of this change: the service says so.
  const order = useSignal(latest).value;
  const lines = useSignal<readonly DraftLine[]>(draftOf(order));
  const byMenu = useSignal<Total | undefined>(undefined);
  const why = useSignal<Reason | undefined>(undefined);
  const text = useSignal('');
  const isOutdated = useSignal(false);
  const { isBusy, error, run } = useTask();
  const { currency } = store;
  const total = byMenu.value ?? totalOf(order, lines.value);
  const difference = total.price + total.tax - order.price - order.tax;
  const items = itemsOf(lines.value);
  const setLines = (next: readonly DraftLine[]) => {
    lines.value = next;
    byMenu.value = undefined;
  };
  const send = () =>
    run(async () => {
      try {
        await client.changeOrder(order.id, {
          items,
          ...total,
          expected_revision: order.revision,
          reason: why.value,
          reason_text: why.value === 'other' ? text.value.trim() || undefined : undefined,
        });
      } catch (refusal) {
        const corrected = totalByMenu(refusal, total);
        if (corrected !== undefined) byMenu.value = corrected;
        else if (refusal instanceof ApiError && refusal.status === 409) isOutdated.value = true;
        else throw refusal;
        return;
      }
      say(t('number_is_changed', { number: toCallNumber(order) }));
      onChanged();
      onClose();
    });
  const close = () => {
    if (isOutdated.value) onChanged();
    onClose();
  };
  return (
    <Dialog
      title={t('change_order_number', { number: toCallNumber(order) })}
      isWide
      onClose={close}
      isUnsaved={() => !isOutdated.value && isChanged(lines.value)}
      actions={
        <>
          <span class="number change-total" role="status">
            {t('new_total', { total: toMoney(total.price + total.tax, currency) })}{' '}
            <strong>{difference === 0 ? '' : toPriceChange(difference, currency)}</strong>
          </span>
          <Button
            look="primary"
            disabled={
              isBusy.value ||
              isOutdated.value ||
              items.length === 0 ||
              why.value === undefined ||
              !isChanged(lines.value)
            }
            onClick={send}
          >
            {isBusy.value ? t('one_moment') : t('send_the_change')}
          </Button>
        </>
      }
    >
      <OrderTrouble error={error.value} items={namedItemsOf(lines.value)} timezone={timezoneOf(store)} />
      {isOutdated.value && (
        <Notice isBad role="alert">
          {t('the_order_was_changed_meanwhile')}
        </Notice>
      )}
      {byMenu.value !== undefined && <Notice role="alert">{t('the_menu_says_another_total')}</Notice>}
      {items.length === 0 && <Notice>{t('nothing_is_left_cancel_instead')}</Notice>}
      <DraftLines lines={lines.value} currency={currency} onChange={setLines} />
      <AddFromMenu store={store} onAdd={(line) => setLines([...lines.value, line])} />
      <h3>{t('why')}</h3>
      <ReasonFields choices={REASONS} why={why} text={text} />
    </Dialog>
  );
}
