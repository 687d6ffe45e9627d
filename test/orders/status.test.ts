import { describe, expect, it } from 'vitest';
import { isFinal, mayMove, ORDER_STATUSES } from '../../src/orders/status.js';

describe('the status machine', () => {
  it('allows the moves of the contract and no other', () => {
    const moves = ORDER_STATUSES.flatMap((from) =>
      ORDER_STATUSES.filter((to) => mayMove(from, to)).map((to) => `${from} -> ${to}`),
    );
    expect(moves.sort()).toEqual(
      [
        'PENDING -> ACCEPTED',
        'PENDING -> REJECTED',
        'PENDING -> CUSTOMER_CANCELLED',
        'PENDING -> STORE_CANCELLED',
        'ACCEPTED -> READY',
        'ACCEPTED -> FULFILLED',
        'ACCEPTED -> CUSTOMER_CANCELLED',
        'ACCEPTED -> STORE_CANCELLED',
        'READY -> FULFILLED',
        'READY -> CUSTOMER_CANCELLED',
        'READY -> STORE_CANCELLED',
      ].sort(),
    );
  });

  it('ends in four statuses', () => {
    expect(ORDER_STATUSES.filter(isFinal)).toEqual([
      'CUSTOMER_CANCELLED',
      'STORE_CANCELLED',
      'REJECTED',
      'FULFILLED',
    ]);
  });
});
