import type { IncomingMessage } from 'node:http';
import Type, { type Static } from 'typebox';
import type { Database } from '../db/database.js';
import { getKey } from '../db/keys.js';
import { DatabaseUnavailable, Unauthenticated } from '../domain/errors.js';
import type { Principal } from '../domain/key/principal.js';
import { hashSecret } from '../domain/key/secret.js';
import type { Limits } from '../domain/limits.js';
import { json, noContent, withHeaders } from '../http/answer.js';
import type { CheckKey } from '../http/authentication.js';
import { compileReadBody } from '../http/body.js';
import type { Readiness } from '../http/health.js';
import type { Responder } from '../http/http-server.js';
import type { DelayRefusal } from '../http/delay-wrong-keys.js';
import { endSession, openSession, openSessionByCode } from '../operations/console-sessions.js';
import { requireSameOrigin } from './same-origin.js';
import { clearSessionCookies, readSessionCookie, setSessionCookie } from './session-cookie.js';

export interface Sessions {
  readonly db: Database;
  readonly limits: Limits;
  readonly version: string;
  readonly readiness: Readiness;
  /** Aborts when the service ends and waits no longer for the rest of a body. */
  readonly tooLate: AbortSignal;
  readonly checkKey: CheckKey;
  readonly delayRefusal: DelayRefusal;
  readonly checkSession: CheckKey;
}

/** A key, or the code of a link that was printed at a start. */
const SignIn = Type.Object({
  key: Type.Optional(Type.String({ maxLength: 255 })),
  code: Type.Optional(Type.String({ maxLength: 255 })),
});

const PATH = '/console/api/session';

/** Signing in, looking whether one is, and signing out. */
export function signInResponders(sessions: Sessions): Responder[] {
  const { db, checkSession } = sessions;
  const readBody = compileReadBody(
    { kind: 'json', schema: SignIn, example: {} },
    sessions.limits,
    sessions.tooLate,
  );
  const enter = (request: IncomingMessage) => {
    if (!sessions.readiness.isReady) throw new DatabaseUnavailable();
    requireSameOrigin(request);
  };
  return [
    {
      method: 'GET',
      path: PATH,
      respond: async ({ request }) => {
        enter(request);
        const token = readSessionCookie(request);
        if (token === undefined) return json({});
        try {
          const { principal } = await checkSession(token, undefined);
          return json({ session: await describe(sessions, principal) });
        } catch (error) {
          // A look whether one is signed in is no attempt to get in.
          if (error instanceof Unauthenticated) return withHeaders(json({}), clearSessionCookies());
          throw error;
        }
      },
    },
    {
      method: 'POST',
      path: PATH,
      respond: async ({ request, response }) => {
        enter(request);
        const proof = (await readBody(request, response)) as Static<typeof SignIn>;
        const before = readSessionCookie(request);
        const token = await open(sessions, proof).catch((error: unknown) =>
          sessions.delayRefusal(request, error),
        );
        if (before !== undefined) await endSession(db, before);
        const { principal } = await checkSession(token, undefined);
        const answer = json(await describe(sessions, principal), 201);
        return withHeaders(answer, setSessionCookie(request, token));
      },
    },
    {
      method: 'DELETE',
      path: PATH,
      respond: async ({ request }) => {
        enter(request);
        const token = readSessionCookie(request);
        if (token !== undefined) await endSession(db, token);
        return withHeaders(noContent(), clearSessionCookies());
      },
    },
  ];
}

async function open({ db, checkKey }: Sessions, { key, code }: Static<typeof SignIn>): Promise<string> {
  if (code !== undefined) return openSessionByCode(db, code);
  if (key === undefined || key === '') throw new Unauthenticated('missing');
  await checkKey(key, undefined);
  return openSession(db, hashSecret(key));
}

/** What the console shows and offers depends on this; what the key may really do is decided at each request. */
async function describe({ db, version }: Sessions, principal: Principal) {
  const key = principal.id === 'operator' ? undefined : await getKey(db, principal.id);
  const reach =
    principal.kind === 'operator'
      ? { permissions: [] }
      : {
          merchant_id: principal.merchantId,
          ...(principal.storeIds === undefined ? {} : { store_ids: principal.storeIds }),
          permissions: principal.permissions,
        };
  const label = key?.label === undefined ? {} : { label: key.label };
  return { key: { id: principal.id, kind: principal.kind, ...reach, ...label }, version };
}
