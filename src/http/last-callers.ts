import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { NamedStore } from '../db/access.js';
import type { Caller } from './authentication.js';

/** What the check of a key will probably find: what it found for the last request on the same connection. */
export interface LastCallers {
  /** For the same key and store only. */
  of(request: IncomingMessage, store: NamedStore | undefined): Caller | undefined;
  note(request: IncomingMessage, store: NamedStore | undefined, caller: Caller): void;
  forget(request: IncomingMessage): void;
}

interface LastCaller {
  readonly secret: string | string[] | undefined;
  readonly store: string;
  readonly caller: Caller;
}

/** Held by the connections themselves, so that no key stays in memory after its client has left. */
export function createLastCallers(): LastCallers {
  const lastCallers = new WeakMap<Socket, LastCaller>();
  return {
    of({ socket, headers }, store) {
      const last = lastCallers.get(socket);
      if (last?.secret === undefined || last.secret !== headers['x-api-key']) return undefined;
      return last.store === nameOf(store) ? last.caller : undefined;
    },
    note({ socket, headers }, store, caller) {
      lastCallers.set(socket, { secret: headers['x-api-key'], store: nameOf(store), caller });
    },
    forget({ socket }) {
      lastCallers.delete(socket);
    },
  };
}

function nameOf(store: NamedStore | undefined): string {
  if (store === undefined) return '';
  return 'id' in store ? store.id : String(store.key);
}
