interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

interface Account {
  inHand: number;
  readonly waiting: Waiting[];
}

/** Waits for room; the function it gives back makes the room free again. */
export type TakeRoom = (owner: string, bytes: number) => Promise<() => void>;

/**
 * Lets each owner have so many bytes in work at once, and always at least one piece of work; the rest wait their turn.
 * No other owner waits in that queue.
 */
export function createByteBudget(most: number): TakeRoom {
  const accounts = new Map<string, Account>();

  const beginNext = (owner: string, account: Account): void => {
    for (let next = account.waiting[0]; next !== undefined; next = account.waiting[0]) {
      if (account.inHand > 0 && account.inHand + next.bytes > most) return;
      account.waiting.shift();
      account.inHand += next.bytes;
      next.begin();
    }
    if (account.inHand === 0) accounts.delete(owner);
  };

  return (owner, bytes) =>
    new Promise((resolve) => {
      const account = accounts.get(owner) ?? { inHand: 0, waiting: [] };
      accounts.set(owner, account);
      const release = () => {
        account.inHand -= bytes;
        beginNext(owner, account);
      };
      account.waiting.push({ bytes, begin: () => resolve(release) });
      beginNext(owner, account);
    });
}
