import { signal } from '@preact/signals';
import { mayLeave, startLeaveGuard } from '../ui/unsaved.js';
import { rememberScroll, startScrollMemory } from './scroll-memory.js';

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const BASE = '/console';

/** Where in the console the address leads; every page can be linked to and gone back to. */
export const place = signal<Place>(readPlace());

/** The address of a path of the console; parameters without a value are left out. */
export function toHref(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '');
  const text = new URLSearchParams(given).toString();
  return BASE + path + (text === '' ? '' : `?${text}`);
}

export function navigate(href: string, { isReplacing = false } = {}): void {
  if (href === location.pathname + location.search) return;
  if (new URL(href, location.href).pathname !== location.pathname && !mayLeave()) return;
  if (!isReplacing) rememberScroll();
  history[isReplacing ? 'replaceState' : 'pushState'](null, '', href);
  const before = place.value.path;
  place.value = readPlace();
  if (place.value.path !== before) scrollTo(0, 0);
}

/** Makes links within the console change the page without loading it anew. */
export function startRouter(): void {
  startScrollMemory();
  startLeaveGuard();
  addEventListener('popstate', () => {
    const to = readPlace();
    // The address has moved already: it is put back.
    if (to.path !== place.value.path && !mayLeave()) history.forward();
    else place.value = to;
  });
  document.addEventListener('click', (event) => {
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!isPlain || event.defaultPrevented || link?.target !== '' || link.download !== '') return;
    if (link.origin !== location.origin || !isInside(link.pathname)) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
    scrollTo(0, 0);
  });
}

/** The parts of a path that a pattern such as `/stores/:store/orders` names, or undefined where it does not fit. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? '';
    if (part.startsWith(':')) found[part.slice(1)] = decoded(value);
    else if (part !== value) return undefined;
  }
  return found;
}

function readPlace(): Place {
  const path = location.pathname.slice(BASE.length).replace(/\/+$/, '');
  return { path: path === '' ? '/' : path, query: new URLSearchParams(location.search) };
}

function isInside(pathname: string): boolean {
  return pathname === BASE || pathname.startsWith(`${BASE}/`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
