import type { ComponentChildren } from 'preact';
import type { ManagedOrder } from '#sdk';
import { toHref } from '../../app/router.js';
import { toCallNumber, toGuestName } from '../../text/format.js';
import { Timing } from './timing.js';

interface TicketHeadProps {
  readonly order: ManagedOrder;
  readonly storeId: string;
  /** Whether it says how much time is left. */
  readonly isTimed: boolean;
  /** Beside the name of the guest. */
  readonly children: ComponentChildren;
}

/** Which order it is, for whom, and by when. */
export function TicketHead({ order, storeId, isTimed, children }: TicketHeadProps) {
  return (
    <>
      <div class="ticket-head">
        <a class="call-number" href={toHref(`/stores/${storeId}/orders/${order.id}`)}>
          {toCallNumber(order)}
        </a>
        {isTimed && <Timing readyBy={order.ready_by} />}
      </div>
      <div class="ticket-who">
        <span>
          {order.place !== undefined && <bdi class="ticket-place">{order.place.label}</bdi>}
          <bdi class="clamp">{toGuestName(order)}</bdi>
        </span>
        {children}
      </div>
    </>
  );
}
