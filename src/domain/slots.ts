import { createFairQueue } from './fair-queue.js';

interface SlotRequest {
  /** Owners that wait get their slots in turn. */
  readonly owner?: string;
  readonly waitMs?: number | undefined;
  /** Gives the wait up. */
  readonly gone?: AbortSignal | undefined;
}

/** Lets a few through at a time: those of one owner in the order in which they came, owners in turn. */
export interface Slots {
  /** Waits for a slot; false when the wait grew too long or was given up. A slot that was taken must be given back. */
  take(request?: SlotRequest): Promise<boolean>;
  giveBack(owner?: string): void;
}

export interface SlotSizes {
  readonly size: number;
  /** How many of them one owner may have; all unless told. */
  readonly perOwner?: number;
  /** How many of one owner may wait; any number unless told. */
  readonly waitingPerOwner?: number;
}

export function createSlots({ size, perOwner = size, waitingPerOwner = Infinity }: SlotSizes): Slots {
  const waiting = createFairQueue<(hasSlot: boolean) => void>();
  const taken = new Map<string, number>();
  let free = size;

  const takenBy = (owner: string) => taken.get(owner) ?? 0;
  const mayGo = (owner: string) => takenBy(owner) < perOwner;

  const give = () => {
    while (free > 0) {
      const next = waiting.shift(mayGo);
      if (next === undefined) return;
      free -= 1;
      taken.set(next.owner, takenBy(next.owner) + 1);
      next.item(true);
    }
  };

  return {
    take({ owner = '', waitMs, gone } = {}) {
      if (gone?.aborted === true || waiting.waiting(owner) >= waitingPerOwner) return Promise.resolve(false);
      return new Promise((resolve) => {
        const giveUp = () => {
          if (waiting.remove(owner, settle)) settle(false);
        };
        const settle = (hasSlot: boolean) => {
          clearTimeout(timer);
          gone?.removeEventListener('abort', giveUp);
          resolve(hasSlot);
        };
        gone?.addEventListener('abort', giveUp);
        waiting.push(owner, settle);
        const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
        give();
      });
    },
    giveBack(owner = '') {
      free += 1;
      if (takenBy(owner) > 1) taken.set(owner, takenBy(owner) - 1);
      else taken.delete(owner);
      give();
    },
  };
}
