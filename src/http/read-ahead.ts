import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { StoreReference } from '../db/callers.js';
import type { ExpectedCaller } from '../db/expected-caller.js';
import { DatabaseUnavailable } from '../domain/errors.js';
import type { Answer } from './answer.js';
import { GIVEN_OPERATOR, type Caller } from './authentication.js';

/** The steps of a plain read, which may begin before the key has been checked. */
interface ReadSteps {
  /** Checks the key. */
  readonly identify: () => Promise<Caller>;
  readonly countRequest: (caller: Caller) => void;
  /** All that follows the check of the key. */
  readonly answer: (caller: Caller, expected?: ExpectedCaller) => Promise<Answer>;
}

export type ReadAhead = (
  request: IncomingMessage,
  store: StoreReference | undefined,
  steps: ReadSteps,
) => Promise<Answer>;

/**
 * Where the connection tells who probably asks, the answer is read for them by statements that look at the key as well.
 * Unless these confirm it, the key is checked as always, and the answer is thrown away where it was someone else.
 */
export function createReadAhead(): ReadAhead {
  const lastCallers = createLastCallers();
  return async (request, named, { identify, countRequest, answer }) => {
    const expected = lastCallers.take(request, named);
    const early = expected && answer(expected, expected);
    await early?.catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable) throw error;
    });
    const caller = expected?.isConfirmed === true ? expected : await identify();
    countRequest(caller);
    lastCallers.note(request, named, caller);
    return early !== undefined && isSameCaller(expected, caller) ? early : answer(caller);
  };
}

/** All that a read goes by: what else there is to know of a store changes while it is read. */
function isSameCaller(expected: Caller | undefined, { principal, store }: Caller): boolean {
  return isDeepStrictEqual(expected?.principal, principal) && expected?.store?.id === store?.id;
}

interface LastCaller {
  readonly secret: string | string[] | undefined;
  readonly store: string;
  readonly caller: Caller;
}

/** Who the last request of each connection came from; held by the connections themselves, so that no key outlives its client. */
function createLastCallers() {
  const lastCallers = new WeakMap<Socket, LastCaller>();
  return {
    /** For the same key and store only, and once for each time that it was noted. */
    take(
      { socket, headers }: IncomingMessage,
      named: StoreReference | undefined,
    ): ExpectedCaller | undefined {
      const last = lastCallers.get(socket);
      lastCallers.delete(socket);
      if (last?.secret === undefined || last.secret !== headers['x-api-key']) return undefined;
      const { principal, store } = last.caller;
      return last.store === nameOf(named) ? { principal, store, isConfirmed: false } : undefined;
    },
    note({ socket, headers }: IncomingMessage, store: StoreReference | undefined, caller: Caller): void {
      // The given key is in no table where it could be confirmed.
      if (caller.principal === GIVEN_OPERATOR) return;
      lastCallers.set(socket, { secret: headers['x-api-key'], store: nameOf(store), caller });
    },
  };
}

function nameOf(store: StoreReference | undefined): string {
  if (store === undefined) return '';
  return 'id' in store ? store.id : String(store.storeKey);
}
