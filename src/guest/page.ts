import { createPageFiles } from '../http/page-files.js';
import { json, type Response } from '../http/response.js';
import type { MatchedRequest, Responder } from '../http/router.js';

/** Enough for the name of a restaurant under an icon. */
const LONGEST_NAME = 60;

/**
 * The page where guests order. It is the same for every code, known or not; the page asks the API about the code. Search
 * engines are told not to index it.
 */
export function guestPageResponders(): Responder[] {
  const show = createPageFiles({
    folder: 'guest/page',
    name: 'The page for guests',
    alsoAllowed: ["manifest-src 'self'"],
    headers: ['x-robots-tag', 'noindex, nofollow'],
  });
  const showPage = show(() => 'index.html');
  return [
    {
      method: 'GET',
      path: '/order/:code',
      respond: (matched) =>
        new URLSearchParams(matched.search).has(PLAIN) ? toPlainMenu(matched) : showPage(matched),
    },
    { method: 'GET', path: '/order/plain.css', respond: show(() => 'plain.css') },
    { method: 'GET', path: '/order/:code/app.webmanifest', respond: showManifest },
    {
      method: 'GET',
      path: '/order/assets/*',
      respond: show(({ params }) => `assets/${params['*'] ?? ''}`),
    },
    { method: 'GET', path: '/order/icon.svg', respond: show(() => 'icon.svg') },
  ];
}

/** What the page asks for where scripts do not run; a file that is the same for all codes cannot name its own. */
const PLAIN = 'plain';

function toPlainMenu({ params }: MatchedRequest): Response {
  const location = `/order/${encodeURIComponent(params['code'] ?? '')}/menu`;
  return { status: 307, headers: ['location', location] };
}

/** For the home screen: an icon opens the place it was made at, under the name that the page gives it. */
function showManifest({ params, search }: MatchedRequest) {
  const start = `/order/${encodeURIComponent(params['code'] ?? '')}`;
  const name = new URLSearchParams(search).get('name')?.slice(0, LONGEST_NAME) ?? 'Comanda';
  const manifest = {
    id: start,
    name,
    short_name: name,
    start_url: start,
    scope: start,
    display: 'standalone',
    background_color: '#f6f5f1',
    theme_color: '#f6f5f1',
    icons: [{ src: '/order/icon.svg', sizes: 'any', type: 'image/svg+xml' }],
  };
  return json(manifest, 200);
}
