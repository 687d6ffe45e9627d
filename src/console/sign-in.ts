import { findPrincipal } from '../access/api-key-lookup.sql.js';
import { audit } from '../audit/audit.sql.js';
import type { IncomingMessage } from 'node:http';
import { Type, type Static } from '../support/shape/type.js';
import { getKey } from '../tenants/keys.sql.js';
import { DatabaseUnavailable, Unauthenticated } from '../support/errors.js';
import { scopeOf, type Principal } from '../access/principal.js';
import { hashSecret } from '../access/secret.js';
import { json, noContent, withHeaders } from '../http/response.js';
import { GIVEN_OPERATOR, type CheckKey, type DelayRefusal } from '../access/authentication.js';
import { compileReadBody } from '../http/body.js';
import type { PipelineDeps } from '../http/pipeline.js';
import type { Responder } from '../http/router.js';
import { endSession, openSession, redeemCode } from '../access/sessions.sql.js';
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
  readonly isGiven: (keyHash: Buffer) => boolean;
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
        const { token, principal } = await open(sessions, proof, request, context.id).catch(
          (error: unknown) => sessions.delayRefusal(request, error),
        );
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

/** Opens the session, ends the one before it and records the sign-in, or does nothing: a code that was refused still works. */
async function open(
  { db, checkKey, rate, isGiven }: Sessions,
  { key, code }: Static<typeof SignIn>,
  request: IncomingMessage,
  requestId: string,
): Promise<{ token: string; principal: Principal }> {
  // A code works once, so only keys need a rate.
  if (code === undefined) {
    if (key === undefined || key === '') throw new Unauthenticated('missing');
    const { principal } = await checkKey(key, undefined);
    rate.count(principal.id);
  }
  const before = readSessionCookie(request);
  return db.transaction(async (tx) => {
    const keyHash = code === undefined ? hashSecret(key ?? '') : await redeemCode(tx, code);
    if (keyHash === undefined) throw new Unauthenticated('code used');
    const principal = isGiven(keyHash) ? GIVEN_OPERATOR : await findPrincipal(tx, keyHash);
    if (principal === undefined) throw new Unauthenticated(code === undefined ? 'invalid' : 'session over');
    const { id, label } = principal;
    if (before !== undefined) await endSession(tx, before);
    const token = await openSession(tx, keyHash);
    await audit(tx, 'key.signed_in', {
      by: { keyId: id, label, via: 'console', requestId },
      merchantId: scopeOf(principal).merchantId,
      subject: id,
    });
    return { token, principal };
  });
}

/** What the console shows and offers; permissions are still checked on every request. */
async function describe({ db, version }: Sessions, principal: Principal) {
  const { id, kind } = principal;
  const key = id === GIVEN_OPERATOR.id ? undefined : await getKey(db, id);
  const { merchantId, storeIds } = scopeOf(principal);
  const permissions = kind === 'operator' ? [] : principal.permissions;
  const shown = { id, kind, merchant_id: merchantId, store_ids: storeIds, permissions, label: key?.label };
  return { key: shown, version };
}
