import { HttpRefusal } from '../http/errors.js';
import { createPageFiles } from '../http/page-files.js';
import type { Responder } from '../http/router.js';

/** The page and what it consists of. Every address below it leads to the page, which finds its way itself. */
export function pageResponders(): Responder[] {
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
