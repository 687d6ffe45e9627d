import { signal } from '@preact/signals';
import { AuthenticationError, createClient, type Key } from '#sdk';
import { suffices } from '../../../src/access/permissions.js';
import { t } from '../text/t.js';

/** How long after a touch or a key the page's requests count as a person's. */
const ATTENDED_MS = 5 * 60_000;
const lastTouch = { at: -Infinity };
for (const kind of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(kind, () => (lastTouch.at = performance.now()), { capture: true, passive: true });

/** Browsers refuse requests that outlive the page with more than 64 KiB in all, such as a large draft of a menu. */
const MOST_KEPT_CHARACTERS = 4_096;

/** The client library over the console's own calls: the cookie of the session stands in for the key. */
export const client = createClient({
  baseUrl: `${location.origin}/console/api`,
  fetch: async (address, init) => {
    const headers = new Headers(init?.headers);
    // No page of another site can add a header of its own making.
    headers.set('x-comanda-console', '1');
    // An open tab must not keep the session alive.
    if (performance.now() - lastTouch.at < ATTENDED_MS) headers.set('x-comanda-person', '1');
    const response = await fetch(address, { ...init, headers, keepalive: outlivesPage(init) });
    // The service no longer knows the session.
    if (response.status === 401 && session.value.is === 'in') leaveWith(t('your_session_has_ended_the_key'));
    return response;
  },
});

/** Whether a request that is under way reaches the service also when the page is closed, as a move of an order must. */
function outlivesPage(init: RequestInit | undefined): boolean {
  return (
    init?.method === 'PATCH' && typeof init.body === 'string' && init.body.length <= MOST_KEPT_CHARACTERS
  );
}

export type Permission = Key['permissions'][number];

/** Whose session this is; the key itself never comes back to the browser. */
interface Session {
  readonly key: {
    readonly id: string;
    readonly kind: 'merchant' | 'operator';
    readonly merchant_id?: string;
    readonly store_ids?: readonly string[];
    readonly permissions: readonly Permission[];
    readonly label?: string;
  };
  readonly version: string;
}

export type SessionState =
  | { readonly is: 'unknown' }
  | { readonly is: 'out'; readonly why?: string }
  | { readonly is: 'in'; readonly session: Session };

export const session = signal<SessionState>({ is: 'unknown' });

/** Finds the session that the browser's cookie stands for, or makes one of the code in the address. */
export async function resumeSession(): Promise<void> {
  const code = takeCode();
  if (code === undefined) await readSession();
  else
    await signIn({ code }).catch((error: unknown) => {
      if (!(error instanceof AuthenticationError)) throw error;
      leaveWith(t('this_link_has_been_used_already'));
    });
}

export async function signIn(proof: { readonly key: string } | { readonly code: string }): Promise<void> {
  const { body } = await client.request({ method: 'POST', path: '/session', body: proof });
  session.value = { is: 'in', session: body as Session };
}

export async function signOut(): Promise<void> {
  await client.request({ method: 'DELETE', path: '/session', answer: 'nothing' });
  leaveWith();
}

/** The key that signed in; undefined for nobody. */
export function ownKey(): Session['key'] | undefined {
  return session.value.is === 'in' ? session.value.session.key : undefined;
}

export function isOperator(): boolean {
  return ownKey()?.kind === 'operator';
}

export function may(permission: Permission): boolean {
  return isOperator() || suffices(ownKey()?.permissions ?? [], permission);
}

async function readSession(): Promise<void> {
  const { body } = await client.request({ path: '/session' });
  const { session: found } = body as { session?: Session };
  session.value = found === undefined ? { is: 'out' } : { is: 'in', session: found };
}

function leaveWith(why?: string): void {
  session.value = why === undefined ? { is: 'out' } : { is: 'out', why };
}

/** The code is in the fragment, which no server and no log ever sees; it is taken out of the history at once. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined;
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return code;
}
