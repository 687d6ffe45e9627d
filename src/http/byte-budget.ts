interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

interface Account {
  inHand: number;
  readonly waiting: Waiting[];
}

export interface BudgetSizes {
  readonly perOwner: number;
  readonly total: number;
}

/** Waits for room; the function it gives back makes the room free again. */
export type TakeRoom = (owner: string, bytes: number) => Promise<() => void>;

/**
 * Lets each owner, and all together, have so many bytes in work at once, and always at least one piece of work; the rest
 * wait. Room that becomes free goes to the owners in turn, so a long queue of one holds up nobody else.
 */
export function createByteBudget({ perOwner, total }: BudgetSizes): TakeRoom {
  const accounts = new Map<string, Account>();
  let inHand = 0;

  const fits = (account: Account, bytes: number): boolean =>
    (account.inHand === 0 || account.inHand + bytes <= perOwner) && (inHand === 0 || inHand + bytes <= total);

  /** One piece of each owner, then of each again, until nothing more fits. */
  const beginWaiting = (): void => {
    let hasBegun = true;
    while (hasBegun) {
      hasBegun = false;
      for (const [owner, account] of [...accounts]) {
        const next = account.waiting[0];
        if (next === undefined || !fits(account, next.bytes)) continue;
        account.waiting.shift();
        account.inHand += next.bytes;
        inHand += next.bytes;
        hasBegun = true;
        // Last in line for what becomes free next.
        accounts.delete(owner);
        accounts.set(owner, account);
        next.begin();
      }
    }
  };

  return (owner, bytes) =>
    new Promise((resolve) => {
      const account = accounts.get(owner) ?? { inHand: 0, waiting: [] };
      accounts.set(owner, account);
      const release = () => {
        account.inHand -= bytes;
        inHand -= bytes;
        if (account.inHand === 0 && account.waiting.length === 0) accounts.delete(owner);
        beginWaiting();
      };
      account.waiting.push({ bytes, begin: () => resolve(release) });
      beginWaiting();
    });
}
