import { createClient } from '#sdk';

const refusals = new EventTarget();

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
    if (response.status === 401) refusals.dispatchEvent(new Event('refused'));
    return response;
  },
});

/** Whether a request that is under way reaches the service also when the page is closed, as a move of an order must. */
function outlivesPage(init: RequestInit | undefined): boolean {
  return (
    init?.method === 'PATCH' && typeof init.body === 'string' && init.body.length <= MOST_KEPT_CHARACTERS
  );
}

/** Tells when the service no longer knows the session. */
export function onRefusedSession(listener: () => void): void {
  refusals.addEventListener('refused', listener);
}
