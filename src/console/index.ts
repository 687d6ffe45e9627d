import { toResponders, type Gatekeeping } from '../http/request-checks.js';
import type { CheckKey } from '../http/authentication.js';
import type { Route } from '../http/route.js';
import type { Responder } from '../http/http-server.js';
import type { DelayRefusal } from '../http/delay-wrong-keys.js';
import type { Database } from '../db/database.js';
import { frontDoor } from './front-door.js';
import { pageResponders } from './page-files.js';
import { bySessionCookie, createSessionCheck } from './session-check.js';
import { signInResponders } from './sign-in.js';

export interface ConsoleOptions {
  readonly db: Database;
  readonly keyChecks: Database;
  readonly version: string;
  readonly operatorKey: string | undefined;
  readonly checkKey: CheckKey;
  readonly delayRefusal: DelayRefusal;
  readonly gate: Omit<Gatekeeping, 'unknownQuery'>;
  readonly v1: readonly Route[];
  readonly manage: readonly Route[];
}

/**
 * The console: its page, its sessions, and for its own calls the routes of both surfaces once more, the same in all but
 * this: the cookie of a session stands in for the key, and only here.
 */
export function consoleResponders(options: ConsoleOptions): Responder[] {
  const { db, version, checkKey, delayRefusal } = options;
  const checkSession = createSessionCheck(db, options.keyChecks, options.operatorKey);
  const gate = { ...options.gate, authenticate: bySessionCookie(checkSession) };
  const { limits, readiness, tooLate } = gate;
  return [
    frontDoor(version),
    ...pageResponders(),
    ...signInResponders({ db, limits, version, readiness, tooLate, checkKey, delayRefusal, checkSession }),
    ...toResponders(forConsole(options.v1), { ...gate, unknownQuery: 'ignored' }),
    ...toResponders(forConsole(options.manage), { ...gate, unknownQuery: 'refused' }),
  ];
}

/** Nothing is read ahead: what a connection has asked before, told by its key, says nothing about a session. */
function forConsole(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, path: `/console/api${route.path}`, isReadAhead: false }));
}
