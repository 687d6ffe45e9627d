import type { ManagedOrder, ManagedStore } from '#sdk';
import { readLines, shownName } from '../../../../../src/orders/lines.js';
import { isGivenUp } from '../../../../../src/orders/status.js';
import { layTicket, type TicketOrder, type TicketRow } from '../../../../../src/orders/ticket.js';
import { ticketWords } from '../../../../../src/orders/ticket-words.js';
import { language } from '../../../text/t.js';
import { toDateTime, toMoney } from '../../../text/format.js';
import { nameOf, timezoneOf } from '../../../data/stores.js';

/** An order on paper, as it is pinned above the stove and goes into the bag. */
export function Ticket({ order, store }: { readonly order: ManagedOrder; readonly store: ManagedStore }) {
  const words = ticketWords(language());
  const rows = layTicket(order as TicketOrder, {
    words,
    marks: isGivenUp(order.status) ? [words('cancelled')] : [],
    title: nameOf(store),
    lines: readLines(order.items),
    hasAmounts: true,
    nameOf: (entry) => shownName(entry, language()),
    times: '× ',
    time: (instant) => toDateTime(instant, timezoneOf(store)),
    money: (amount) => toMoney(amount, store.currency),
  });
  return (
    <>
      {rows.map((row, i) => (
        <Row key={i} {...row} />
      ))}
    </>
  );
}

function Row({ style, text, end, indent = 0 }: TicketRow) {
  if (style === 'rule') return <hr class="paper-rule" />;
  return (
    <p class={`paper-${style}`} style={{ marginInlineStart: `${indent * 4}mm` }}>
      <bdi>{text}</bdi>
      {end !== undefined && <span>{end}</span>}
    </p>
  );
}
