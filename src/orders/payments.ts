import { Conflict } from '../support/errors.js';
import type { Amendment } from './amend.js';
import { dueOf, factsText, parseFacts } from './facts.js';
import { MOST_PAYMENTS, type Payment, type PaymentRequest } from './fact-shapes.js';
import type { OrderState } from './json.sql.js';

/** A payment that is to be recorded, under the id that it will have. */
export type NewPayment = PaymentRequest & Pick<Payment, 'id'>;

/** Adds a payment; one with an external_id that the order has already is there, or is refused if it says something else. */
export function addPayment(state: OrderState, wanted: NewPayment, at: string): Amendment {
  const facts = parseFacts(state.facts);
  const { payments = [] } = facts;
  const earlier =
    wanted.external_id === undefined
      ? undefined
      : payments.find(({ external_id: externalId }) => externalId === wanted.external_id);
  if (earlier !== undefined) {
    if (isSame(earlier, wanted)) return { state, fields: [] };
    throw new Conflict('The order has another payment with this external_id');
  }
  if (payments.length >= MOST_PAYMENTS) throw new Conflict(`An order has at most ${MOST_PAYMENTS} payments`);
  const payment: Payment = { ...wanted, at };
  const paid = { ...facts, payments: [...payments, payment] };
  const due = dueOf(state.price, state.tax, paid);
  if (!Number.isSafeInteger(due)) throw new Conflict('The sum of the payments is too large');
  return {
    state: { ...state, facts: factsText(paid), due },
    fields: [{ field: 'payments', from: undefined, to: payment }],
  };
}

function isSame(one: PaymentRequest, other: PaymentRequest): boolean {
  return one.method === other.method && one.amount === other.amount && one.reference === other.reference;
}
