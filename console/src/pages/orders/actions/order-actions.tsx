import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ManagedOrder } from '#sdk';
import { t } from '../../../text/t.js';
import { toCallNumber } from '../../../text/format.js';
import { Button } from '../../../ui/button.js';
import { now } from '../../../ui/now.js';
import { isOpen, STATUS_WORDS, type OpenStatus } from '../../../ui/order-status.js';
import { Trouble } from '../../../ui/loading.js';
import { may } from '../../../data/session.js';
import { EndDialog } from './end-dialog.js';
import type { Move, Moves } from './moves.js';
import './order-actions.css';

/** The way on from each status, as the button says it. */
const ON: Readonly<
  Record<
    OpenStatus,
    {
      readonly to: 'ACCEPTED' | 'READY' | 'FULFILLED';
      readonly label: string;
      /** The same with the order that is meant. */
      readonly named: (number: string) => string;
    }
  >
> = {
  PENDING: { to: 'ACCEPTED', label: t('accept'), named: (number) => t('accept_number', { number }) },
  ACCEPTED: { to: 'READY', label: t('ready'), named: (number) => t('ready_number', { number }) },
  READY: { to: 'FULFILLED', label: t('hand_over'), named: (number) => t('hand_over_number', { number }) },
};

interface OrderActionsProps {
  readonly order: ManagedOrder;
  readonly moves: Moves;
  /** What else can be done with it here. */
  readonly children?: ComponentChildren;
}

/** What can be done with an order that is open, by whoever may. */
export function OrderActions({ order, moves, children }: OrderActionsProps) {
  const refusal = moves.refusals.value.get(order.id);
  if (!may('orders:write') || !isOpen(order.status)) return null;
  return (
    <>
      {refusal?.from === order.status && <Trouble error={refusal.error} />}
      <Actions order={order} moves={moves}>
        {children}
      </Actions>
    </>
  );
}

function Actions({ order, moves, children }: OrderActionsProps) {
  const move = moves.pending.value.get(order.id);
  const isEnding = useSignal(false);
  const onButton = useRef<HTMLButtonElement>(null);
  const wasHeld = useRef(false);
  useEffect(() => {
    if (wasHeld.current) focusIfLost(onButton.current);
    wasHeld.current = move !== undefined;
  }, [move]);
  const number = toCallNumber(order);
  const on = ON[order.status as OpenStatus];
  if (move !== undefined) return <Held number={number} move={move} onUndo={() => moves.undo(order.id)} />;
  return (
    <div class="ticket-actions">
      <Button
        ref={onButton}
        look="primary"
        icon="check"
        aria-label={on.named(number)}
        onClick={() => moves.start(order, on.to)}
      >
        {on.label}
      </Button>
      <Button
        aria-label={
          order.status === 'PENDING' ? t('reject_number', { number }) : t('cancel_number', { number })
        }
        onClick={() => (isEnding.value = true)}
      >
        {order.status === 'PENDING' ? t('reject') : t('cancel_order')}
      </Button>
      {children}
      {isEnding.value && (
        <EndDialog
          order={order}
          onClose={() => (isEnding.value = false)}
          onEnd={(to, why) => {
            isEnding.value = false;
            moves.start(order, to, { isHeld: false, why });
          }}
        />
      )}
    </div>
  );
}

/** Whoever works by keyboard goes on where the button was that they pressed. */
function focusIfLost(button: HTMLButtonElement | null): void {
  if (document.activeElement === document.body) button?.focus();
}

/** A tap that can still be taken back, and how long. */
function Held({ number, move, onUndo }: { number: string; move: Move; onUndo: () => void }) {
  const seconds = useComputed(() =>
    move.at === undefined ? 0 : Math.max(0, Math.ceil((move.at - now.value) / 1000)),
  ).value;
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => focusIfLost(undo.current), []);
  return (
    <div class="ticket-held" role="status">
      <span>
        {move.at === undefined
          ? `${STATUS_WORDS[move.to]} …`
          : t('status_in_seconds_s', { status: STATUS_WORDS[move.to], seconds })}
      </span>
      <Button
        ref={undo}
        icon="undo"
        aria-label={t('undo_number', { number })}
        disabled={move.at === undefined}
        onClick={onUndo}
      >
        {t('undo')}
      </Button>
      {move.at !== undefined && <span class="held-bar" />}
    </div>
  );
}
