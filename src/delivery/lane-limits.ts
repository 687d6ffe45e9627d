import type { DueCursor, DueFilter } from '../db/webhooks/claim-cursors.js';

/** Requests under way at once: in this process, to one endpoint, and for one merchant, so that no one's slow receivers keep others waiting. */
const AT_ONCE = { total: 100, perEndpoint: 8, perMerchant: 20 };

/** Counts the lanes that run, and tells which others may begin. */
export interface LaneLimits {
  hasRoom(): boolean;
  /** What to look for: nothing of those who have all they may. */
  dueFilter(): Omit<DueFilter, 'sealedWith' | 'lastSequences'>;
  /** Those of the due cursors that there is room for. */
  choose(due: readonly DueCursor[]): DueCursor[];
  countBegun(due: DueCursor): void;
  countEnded(due: DueCursor): void;
}

export function createLaneLimits(): LaneLimits {
  const endpoints = new Map<string, number>();
  const merchants = new Map<string, number>();
  let total = 0;

  const add = ({ endpoint }: DueCursor, step: 1 | -1) => {
    total += step;
    count(endpoints, endpoint.id, step);
    count(merchants, endpoint.merchantId, step);
  };

  return {
    hasRoom: () => total < AT_ONCE.total,
    dueFilter: () => ({
      busyEndpoints: [...endpoints].filter(([, busy]) => busy >= AT_ONCE.perEndpoint).map(([id]) => id),
      busyMerchants: [...merchants].filter(([, busy]) => busy >= AT_ONCE.perMerchant).map(([id]) => id),
      perEndpoint: AT_ONCE.perEndpoint,
      perMerchant: AT_ONCE.perMerchant,
      limit: AT_ONCE.total - total,
    }),
    choose(due) {
      const chosen = due.filter((one) => {
        const { id, merchantId } = one.endpoint;
        const fits =
          total < AT_ONCE.total &&
          (endpoints.get(id) ?? 0) < AT_ONCE.perEndpoint &&
          (merchants.get(merchantId) ?? 0) < AT_ONCE.perMerchant;
        if (fits) add(one, 1);
        return fits;
      });
      for (const one of chosen) add(one, -1);
      return chosen;
    },
    countBegun: (due) => add(due, 1),
    countEnded: (due) => add(due, -1),
  };
}

function count(counts: Map<string, number>, id: string, step: 1 | -1): void {
  const now = (counts.get(id) ?? 0) + step;
  if (now === 0) counts.delete(id);
  else counts.set(id, now);
}
