import { Conflict } from '../errors.js';
import type { OrderPatch } from './shapes.js';
import { isFinal, mayMove, type OrderStatus } from './status.js';

/** The fields of an order that can change. Instants are RFC 3339 in UTC. */
export interface OrderState {
  readonly status: OrderStatus;
  readonly isRead: boolean;
  readonly inPos: boolean;
  readonly readyBy: string;
  readonly completedAt: string | undefined;
  readonly customerComments: string | undefined;
}

/** One field and its value before and after; undefined where it had or has none. */
export interface FieldChange {
  readonly field: 'status' | 'is_read' | 'in_pos' | 'ready_by' | 'customer_comments';
  readonly from: string | boolean | undefined;
  readonly to: string | boolean | undefined;
}

export interface ChangedOrder {
  readonly state: OrderState;
  readonly fields: readonly FieldChange[];
}

/** Applies a patch; no fields changed means that everything asked for is so already. */
export function applyPatch(state: OrderState, patch: OrderPatch, at: string): ChangedOrder {
  const fields = changedFields(state, patch);
  const { customer_comments: comments } = patch;
  const to = patch.status ?? state.status;
  if (to !== state.status && !mayMove(state.status, to)) {
    throw new Conflict(`An order that is ${state.status} cannot become ${to}`);
  }
  return {
    fields,
    state: {
      status: to,
      isRead: patch.is_read ?? state.isRead,
      inPos: patch.in_pos ?? state.inPos,
      readyBy: patch.ready_by ?? state.readyBy,
      completedAt: to !== state.status && isFinal(to) ? at : state.completedAt,
      customerComments: comments === undefined ? state.customerComments : (comments ?? undefined),
    },
  };
}

function changedFields(state: OrderState, patch: OrderPatch): FieldChange[] {
  const asked = [
    { field: 'status', from: state.status, to: patch.status },
    { field: 'is_read', from: state.isRead, to: patch.is_read },
    { field: 'in_pos', from: state.inPos, to: patch.in_pos },
    { field: 'ready_by', from: state.readyBy, to: patch.ready_by },
    { field: 'customer_comments', from: state.customerComments, to: patch.customer_comments },
  ] as const;
  return asked.flatMap(({ field, from, to }) =>
    to === undefined || (to ?? undefined) === from ? [] : [{ field, from, to: to ?? undefined }],
  );
}
