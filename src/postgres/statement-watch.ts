import { isConnectionLoss, isOverTime } from './errors.js';

/** Notices when statements of some stores fail or hang while those of others go on, as when one node of several is down. */
export interface StatementWatch {
  /** To be called when a statement of a store begins; what it returns, when it ends. */
  begin(storeKey: number): (error?: unknown) => void;
  /** The numbers of the stores whose statements fail or hang now. */
  troubledStores(): readonly number[];
  stop(): void;
}

const SLOW_MS = 5_000;
/** A store whose statements failed and that nobody has asked for since is forgotten after this time. */
const REMEMBERED_MS = 60_000;
const CHECK_EVERY_MS = 1_000;
const NAMED = 3;

/** Says once that there is trouble, and once that it is over. */
export function createStatementWatch(
  warn: (message: string) => void,
  now = () => performance.now(),
): StatementWatch {
  // In the order in which they began.
  const underWay = new Set<{ readonly storeKey: number; readonly since: number }>();
  const failedAt = new Map<number, number>();
  let isTold = false;

  const troubledStores = (): number[] => {
    for (const [storeKey, at] of failedAt) if (now() - at > REMEMBERED_MS) failedAt.delete(storeKey);
    const stores = new Set(failedAt.keys());
    for (const { storeKey, since } of underWay) {
      if (now() - since < SLOW_MS) break;
      stores.add(storeKey);
    }
    return [...stores];
  };

  const check = () => {
    const stores = troubledStores();
    if (stores.length > 0 === isTold) return;
    isTold = stores.length > 0;
    warn(isTold ? describe(stores) : 'The database answers for all stores again');
  };
  const timer = setInterval(check, CHECK_EVERY_MS).unref();

  return {
    begin(storeKey) {
      const statement = { storeKey, since: now() };
      underWay.add(statement);
      return (error) => {
        underWay.delete(statement);
        if (error === undefined) failedAt.delete(storeKey);
        else if (isConnectionLoss(error) || isOverTime(error)) failedAt.set(storeKey, now());
      };
    },
    troubledStores,
    stop: () => clearInterval(timer),
  };
}

function describe(stores: readonly number[]): string {
  const named = stores.slice(0, NAMED).join(', ');
  const more = stores.length > NAMED ? ` and ${stores.length - NAMED} more` : '';
  return (
    `The database fails for some stores or takes longer than 5 s (numbers ${named}${more}). If it is a Citus cluster, ` +
    '`comanda doctor --local` on a machine of the service names the node that does not answer.'
  );
}
