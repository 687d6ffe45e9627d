import { toResponders, type PipelineDeps } from '../http/pipeline.js';
import type { CheckKey, DelayRefusal } from '../access/authentication.js';
import type { Route } from '../http/route.js';
import type { Responder } from '../http/router.js';
import type { Database } from '../postgres/database.js';
import { keyNamesRoute } from './key-names.js';
import { bySessionCookie, createGivenCheck, createSessionCheck } from './sessions.js';
import { signInResponders } from './sign-in.js';
import { HttpRefusal } from '../http/errors.js';
import { createPageFiles } from '../http/page-files.js';
import { json } from '../http/response.js';

export interface ConsoleOptions {
  readonly db: Database;
  readonly keyChecks: Database;
  readonly version: string;
  readonly operatorKey: string | undefined;
  readonly checkKey: CheckKey;
  readonly delayRefusal: DelayRefusal;
  readonly deps: Omit<PipelineDeps, 'unknownQuery' | 'unknownKeys'>;
  readonly v1: readonly Route[];
  readonly manage: readonly Route[];
}

/**
 * The console: its page, its sessions, and the routes of both surfaces under /console/api, where a session cookie replaces the
 * key.
 */
export function consoleResponders(options: ConsoleOptions): Responder[] {
  const { db, version, checkKey, delayRefusal } = options;
  const isGiven = createGivenCheck(options.operatorKey);
  const checkSession = createSessionCheck(db, options.keyChecks, isGiven);
  const deps = { ...options.deps, authenticate: bySessionCookie(checkSession) };
  const strict = { ...deps, unknownQuery: 'refused', unknownKeys: 'refused' } as const;
  return [
    rootRoute(version),
    ...pageResponders(),
    ...signInResponders({ ...options.deps, db, version, checkKey, delayRefusal, checkSession, isGiven }),
    ...viaConsole([
      ...toResponders([keyNamesRoute()], strict),
      ...toResponders(forConsole(options.v1), { ...deps, unknownQuery: 'ignored', unknownKeys: 'ignored' }),
      ...toResponders(forConsole(options.manage), strict),
    ]),
  ];
}

function viaConsole(responders: readonly Responder[]): Responder[] {
  return responders.map(({ respond, ...rest }) => ({
    ...rest,
    respond: (matched) => {
      matched.context.via = 'console';
      return respond(matched);
    },
  }));
}

function forConsole(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, path: `/console/api${route.path}` }));
}

/** The root path: browsers are redirected to the console, programs get a list of paths. */
function rootRoute(version: string): Responder {
  const addresses = {
    name: 'Comanda',
    version,
    console: '/console',
    docs: '/docs',
    api: '/v1',
    openapi: '/openapi.json',
    manage: '/manage/v1',
    manage_openapi: '/manage/openapi.json',
    health: '/healthz',
    readiness: '/readyz',
  };
  return {
    method: 'GET',
    path: '/',
    respond: ({ request }) => {
      const isPerson = request.headers.accept?.includes('text/html') === true;
      return isPerson
        ? { status: 302, headers: ['location', '/console', 'vary', 'accept'] }
        : json(addresses);
    },
  };
}

/** The page and what it consists of. Every address below it leads to the page, which finds its way itself. */
function pageResponders(): Responder[] {
  const show = createPageFiles({ folder: 'console/page', name: 'The console' });
  const showPage = show(() => 'index.html');
  const showIcon = show(() => 'icon.svg');
  return [
    { method: 'GET', path: '/console', respond: showPage },
    { method: 'GET', path: '/console/*', respond: showPage },
    {
      method: 'GET',
      path: '/console/assets/*',
      respond: show(({ params }) => `assets/${params['*'] ?? ''}`),
    },
    { method: 'GET', path: '/console/icon.svg', respond: showIcon },
    { method: 'GET', path: '/favicon.ico', respond: showIcon },
    {
      method: 'GET',
      path: '/console/api/*',
      respond: () => {
        throw new HttpRefusal(404, 'Not Found');
      },
    },
  ];
}
