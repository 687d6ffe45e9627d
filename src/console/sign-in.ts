import { writeEntry } from '../audit/audit.sql.js';
import type { IncomingMessage } from 'node:http';
import Type, { type Static } from 'typebox';
import { getKey } from '../tenants/keys.sql.js';
import { DatabaseUnavailable, Unauthenticated } from '../support/errors.js';
import { scopeOf, type Principal } from '../access/principal.js';
import { hashSecret } from '../access/secret.js';
import { json, noContent, withHeaders } from '../http/response.js';
import type { CheckKey, DelayRefusal } from '../access/authentication.js';
import { compileReadBody } from '../http/body.js';
import type { PipelineDeps } from '../http/pipeline.js';
import type { Responder } from '../http/router.js';
import { endSession, openSession, openSessionByCode } from '../access/sessions.sql.js';
import {
  requireSameOrigin,
  clearSessionCookies,
  readSessionCookie,
  setOffBy,
  setSessionCookie,
  type CheckSession,
} from './sessions.js';

export interface Sessions extends Pick<PipelineDeps, 'db' | 'limits' | 'readiness' | 'tooLate' | 'rate'> {
  readonly version: string;
  readonly checkKey: CheckKey;
  readonly delayRefusal: DelayRefusal;
  readonly checkSession: CheckSession;
}

/** A key, or the code of a link that was printed at a start. */
const SignIn = Type.Object({
  key: Type.Optional(Type.String({ maxLength: 255 })),
  code: Type.Optional(Type.String({ maxLength: 255 })),
});

/** Anyone may send one, and it counts towards no merchant's room for bodies. */
const MAX_PROOF_BYTES = 4096;

const PATH = '/console/api/session';

/** Sign-in, session check and sign-out. */
export function signInResponders(sessions: Sessions): Responder[] {
  const { db, checkSession } = sessions;
  const readBody = compileReadBody(
    { kind: 'json', schema: SignIn, example: {} },
    { ...sessions.limits, jsonBytes: MAX_PROOF_BYTES },
    sessions.tooLate,
    'ignored',
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
          const { principal } = await checkSession(token, undefined, setOffBy(request));
          return json({ session: await describe(sessions, principal) });
        } catch (error) {
          // A session check is not a sign-in attempt.
          if (error instanceof Unauthenticated) return withHeaders(json({}), clearSessionCookies());
          throw error;
        }
      },
    },
    {
      method: 'POST',
      path: PATH,
      respond: async ({ request, response, context }) => {
        enter(request);
        const proof = (await readBody(request, response)) as Static<typeof SignIn>;
        const before = readSessionCookie(request);
        const token = await open(sessions, proof).catch((error: unknown) =>
          sessions.delayRefusal(request, error),
        );
        if (before !== undefined) await endSession(db, before);
        const { principal } = await checkSession(token, undefined, 'person');
        // A sign-in that cannot be recorded hands out no cookie, so there is none that is not in the log.
        const by = {
          keyId: principal.id,
          label: principal.label,
          via: 'console',
          requestId: context.id,
        } as const;
        const { merchantId } = scopeOf(principal);
        await writeEntry(db, 'key.signed_in', { by, merchantId, subject: principal.id });
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

/** A code works once, so only keys need a rate. */
async function open({ db, checkKey, rate }: Sessions, { key, code }: Static<typeof SignIn>): Promise<string> {
  if (code !== undefined) return openSessionByCode(db, code);
  if (key === undefined || key === '') throw new Unauthenticated('missing');
  const { principal } = await checkKey(key, undefined);
  rate.count(principal.id);
  return openSession(db, hashSecret(key));
}

/** What the console shows and offers; permissions are still checked on every request. */
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
