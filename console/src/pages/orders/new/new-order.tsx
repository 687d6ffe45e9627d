import { useSignal } from '@preact/signals';
import { useId, useMemo } from 'preact/hooks';
import { ApiError, type ManagedStore, type QuoteLineRequest } from '#sdk';
import { randomId } from '../../../../../guest/src/random-id.js';
import { fromWall } from '../../../../../src/calendar/wall-clock.js';
import { client, may } from '../../../data/session.js';
import { timezoneOf } from '../../../data/stores.js';
import { toCallNumber, toDateTime, toMoney } from '../../../text/format.js';
import { InputField, SelectField, formText } from '../../../ui/field.js';
import { SERVICE_WORDS } from '../../../text/code-words.js';
import { t } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialogs.js';
import { Notice } from '../../../ui/notice.js';
import { say } from '../../../ui/toasts.js';
import { useLoad, useTask } from '../../../ui/loading.js';
import { AddFromMenu } from '../change/add-from-menu.js';
import { DraftLines } from '../change/draft-lines.js';
import { itemsOf, namedItemsOf, priced, type DraftLine, type Total } from '../change/draft.js';
import { OrderTrouble } from '../change/order-trouble.js';
import '../change/change.css';

type Service = keyof typeof SERVICE_WORDS;
const SERVICES: readonly Service[] = ['pickup', 'dine_in', 'delivery'];

/** Takes an order from somebody who calls, or stands at the counter. */
export function NewOrder({ store }: { readonly store: ManagedStore }) {
  const isOpen = useSignal(false);
  if (!may('orders:write') || !may('read')) return null;
  return (
    <>
      <Button look="primary" icon="plus" onClick={() => (isOpen.value = true)}>
        {t('take_an_order')}
      </Button>
      {isOpen.value && <NewOrderDialog store={store} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

interface NewOrderDialogProps {
  readonly store: ManagedStore;
  readonly onClose: () => void;
}

function NewOrderDialog({ store, onClose }: NewOrderDialogProps) {
  // Every attempt sends the same key, so that pressing twice makes one order.
  const key = useMemo(randomId, []);
  const formId = useId();
  const timezone = timezoneOf(store);
  const lines = useSignal<readonly DraftLine[]>([]);
  const wall = useSignal('');
  const service = useSignal<Service>('pickup');
  const refused = useSignal<Total | undefined>(undefined);
  const { isBusy, error, run } = useTask();
  const readyBy = toMoment(wall.value, timezone);
  const items = itemsOf(lines.value);
  const asked = JSON.stringify([items, readyBy]);
  const quote = useLoad(
    async (signal) => {
      if (items.length === 0) return undefined;
      const body = {
        items: items.map((line) => priced(line, undefined)) as unknown as QuoteLineRequest[],
        ready_by: readyBy,
      };
      return { ...(await client.quoteOrder(store.id, body, { signal })), asked };
    },
    [store.id, asked],
  );
  const quoted = quote.value.value?.asked === asked ? quote.value.value : undefined;
  const trouble = error.value ?? (quoted === undefined ? quote.error.value : undefined);
  const setLines = (next: readonly DraftLine[]) => {
    lines.value = next
      .filter(({ quantity }) => quantity > 0)
      .map((line) => ({ ...line, sent: { ...line.sent, quantity: line.quantity }, was: line.quantity }));
    refused.value = undefined;
  };
  const send = (data: FormData) =>
    run(async () => {
      if (quoted === undefined) return;
      const { price, tax } = quoted;
      try {
        const order = await client.takeInOrder(
          store.id,
          {
            customer: { name: formText(data, 'name'), phone: formText(data, 'phone') },
            items: items.map((line, i) => priced(line, quoted.items[i])),
            price,
            tax,
            expected_total: { price, tax },
            ready_by: readyBy,
            customer_comments: formText(data, 'note') || undefined,
            service: service.value,
            ...(service.value === 'delivery'
              ? { delivery: { address: { line_1: formText(data, 'address') } } }
              : {}),
          },
          {},
          { idempotencyKey: key },
        );
        say(t('order_number_is_taken', { number: toCallNumber(order) }));
        onClose();
      } catch (refusal) {
        quote.reload();
        if (!(refusal instanceof ApiError) || refusal.status !== 409) throw refusal;
        refused.value = { price, tax };
      }
    });
  const hasMoved = quoted?.price !== refused.value?.price || quoted?.tax !== refused.value?.tax;
  return (
    <Dialog
      title={t('take_an_order')}
      isWide
      onClose={onClose}
      isUnsaved={() => lines.value.length > 0}
      actions={
        <>
          <span class="number change-total" role="status">
            {quoted !== undefined &&
              t('total_amount', { amount: toMoney(quoted.price + quoted.tax, store.currency) })}
          </span>
          <Button type="submit" form={formId} look="primary" disabled={isBusy.value || quoted === undefined}>
            {isBusy.value ? t('one_moment') : t('send_the_order')}
          </Button>
        </>
      }
    >
      <OrderTrouble error={trouble} items={namedItemsOf(lines.value)} timezone={timezone} />
      {refused.value !== undefined && quoted !== undefined && (
        <Notice role="alert">
          {hasMoved ? t('prices_have_changed_look_at_the_total') : t('this_order_may_be_taken_already')}
        </Notice>
      )}
      <DraftLines
        lines={lines.value.map((line, i) =>
          quoted === undefined ? line : { ...line, sent: priced(line.sent, quoted.items[i]) },
        )}
        currency={store.currency}
        onChange={setLines}
      />
      <AddFromMenu store={store} onAdd={(line) => setLines([...lines.value, line])} />
      <form
        id={formId}
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          send(new FormData(event.currentTarget));
        }}
      >
        <div class="pair">
          <InputField label={t('name')} name="name" required maxLength={200} />
          <InputField label={t('phone')} name="phone" type="tel" maxLength={50} />
        </div>
        <div class="pair">
          <SelectField
            label={t('service')}
            options={SERVICES.map((one) => [one, SERVICE_WORDS[one]])}
            chosen={service.value}
            onChoose={(chosen) => (service.value = chosen as Service)}
          />
          <InputField
            label={t('when_in_timezone', { timezone })}
            type="datetime-local"
            value={wall.value}
            hint={
              quoted?.ready_by === undefined
                ? t('left_empty_as_soon_as_possible')
                : t('ready_by_time', { time: toDateTime(quoted.ready_by, timezone) })
            }
            onInput={({ currentTarget }) => (wall.value = currentTarget.value)}
          />
        </div>
        {service.value === 'delivery' && (
          <InputField label={t('address')} name="address" required maxLength={500} />
        )}
        <InputField label={t('note')} name="note" maxLength={500} />
      </form>
    </Dialog>
  );
}

/** A time that is none is left to the service to refuse. */
function toMoment(wall: string, timezone: string): string | undefined {
  const moment = fromWall(wall, timezone);
  return Number.isNaN(moment) ? wall || undefined : new Date(moment).toISOString();
}
