import { createClient } from '#sdk';

const refusals = new EventTarget();

/** How long after a touch or a key the page's requests count as a person's. */
const ATTENDED_MS = 5 * 60_000;
const lastTouch = { at: -Infinity };
for (const kind of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(kind, () => (lastTouch.at = performance.now()), { capture: true, passive: true });

/** The client library over the console's own calls: the cookie of the session stands in for the key. */
export const client = createClient({
  baseUrl: `${location.origin}/console/api`,
  fetch: async (address, init) => {
    const headers = new Headers(init?.headers);
    // No page of another site can add a header of its own making.
    headers.set('x-comanda-console', '1');
    // An open tab must not keep the session alive.
    if (performance.now() - lastTouch.at < ATTENDED_MS) headers.set('x-comanda-person', '1');
    // A move that is under way must reach the service also when the page is closed.
    const keepalive = init?.method === 'PATCH';
    const response = await fetch(address, { ...init, headers, keepalive });
    if (response.status === 401) refusals.dispatchEvent(new Event('refused'));
    return response;
  },
});

/** Tells when the service no longer knows the session. */
export function onRefusedSession(listener: () => void): void {
  refusals.addEventListener('refused', listener);
}
