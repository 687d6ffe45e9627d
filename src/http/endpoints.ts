import type { ServerResponse } from 'node:http';
import type { Principal } from '../domain/key/principal.js';
import type { Slots } from '../domain/slots.js';
import { compileAdmission, signalOf, type Gatekeeping } from './admission.js';
import type { Caller } from './authentication.js';
import { bodySize, compileReadBody } from './body.js';
import type { Route } from './route.js';
import type { Endpoint, MatchedRequest } from './router.js';

/** The routes of a surface, each behind the same checks in the same order. */
export function toEndpoints(routes: readonly Route[], gate: Gatekeeping): Endpoint[] {
  return routes.map((route) => ({
    method: route.method,
    path: route.path.replace(/\{(\w+)\}/g, ':$1'),
    respond: compileRespond(route, gate),
  }));
}

/** The body is not touched before all checks have passed. */
function compileRespond(route: Route, gate: Gatekeeping): Endpoint['respond'] {
  const { body, handler } = route;
  if (route.isReadAhead === true) return compileReadAhead(route, gate);
  const { readHead, check, admit } = compileAdmission(route, gate);
  const admitted = async (matched: MatchedRequest) => {
    const asked = readHead(matched);
    return admit(asked, await check(asked));
  };
  if (route.hasLargeAnswer === true)
    return async (matched) => {
      const call = await admitted(matched);
      await takeSlot(gate.largeAnswers, ownerOf(call.key), matched.response);
      return handler(call);
    };
  if (body === undefined) return async (matched) => handler(await admitted(matched));

  const readBody = compileReadBody(body, gate.limits, gate.closing);
  return async (matched) => {
    const call = await admitted(matched);
    const { request, response } = matched;
    const wanted = { owner: ownerOf(call.key), amount: bodySize(request, body, gate.limits) };
    const { bodyBytes } = gate;
    const giveBack = bodyBytes.takeNow(wanted) ?? (await bodyBytes.take({ ...wanted, gone: call.gone() }));
    try {
      return await handler({ ...call, body: await readBody(request, response) });
    } finally {
      giveBack();
    }
  };
}

const LONGEST_WAIT_MS = 20_000;

/** The slot is taken until the answer is out, or its client gone: whoever reads slowly waits for itself. */
async function takeSlot(slots: Slots, owner: string, response: ServerResponse): Promise<void> {
  const gone = signalOf(response);
  const giveBack = await slots.take({ owner, waitMs: LONGEST_WAIT_MS, gone });
  if (gone.aborted) giveBack();
  else gone.addEventListener('abort', giveBack);
}

/** Asks for key and answer at once where the connection tells who probably asks, and throws the answer away where it was someone else. */
function compileReadAhead(route: Route, gate: Gatekeeping): Endpoint['respond'] {
  const { readHead, check, admit } = compileAdmission(route, gate);
  const { guesses } = gate;
  return async (matched) => {
    const asked = readHead(matched);
    const { request } = matched;
    const answer = async (caller: Caller) => route.handler(await admit(asked, caller));
    const guess = guesses.of(request, asked.store);
    const early = guess === undefined ? undefined : answer(guess);
    early?.catch(() => undefined);
    // Forgotten until the check has said the same again.
    guesses.forget(request);
    const caller = await check(asked);
    guesses.note(request, asked.store, caller);
    // Whoever has the same key and the same store, with the same rights and the same owner, is the same object.
    const isAsGuessed = guess?.principal === caller.principal && guess.store === caller.store;
    return early !== undefined && isAsGuessed ? early : answer(caller);
  };
}

function ownerOf(key: Principal): string {
  return key.kind === 'merchant' ? key.merchantId : key.id;
}
