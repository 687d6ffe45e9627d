import type { IncomingHttpHeaders } from 'node:http';
import { openAt } from '../calendar/open-hours.js';
import { route, type Route } from '../http/route.js';
import { showAllergens } from '../menus/allergens.js';
import { isInStock, type PricedItem, type PriceList } from '../menus/price-list.js';
import { requireFound } from '../support/errors.js';
import { firstLanguage, nameIn } from '../support/languages.js';
import { toMoney } from '../support/minor-units.js';
import { getStore } from '../tenants/stores.sql.js';
import { escaped } from './code-sheet.js';
import type { GuestContext } from './context.js';
import { CodeParams } from './shapes.js';

const ENGLISH = {
  soldOut: 'Sold out',
  ask: 'Ordering on this page needs JavaScript. Please order with the staff.',
};

/** In the other languages of the page for guests. */
const WORDS: Readonly<Record<string, typeof ENGLISH>> = {
  es: {
    soldOut: 'Agotado',
    ask: 'Para pedir en esta página hace falta JavaScript. Pida al personal, por favor.',
  },
  fr: { soldOut: 'Épuisé', ask: 'Commander sur cette page demande JavaScript. Adressez-vous au personnel.' },
  de: {
    soldOut: 'Ausverkauft',
    ask: 'Zum Bestellen braucht diese Seite JavaScript. Bitte bestellen Sie beim Personal.',
  },
  pt: {
    soldOut: 'Esgotado',
    ask: 'Para pedir nesta página é preciso JavaScript. Peça ao pessoal, por favor.',
  },
  ar: { soldOut: 'نفد', ask: 'الطلب من هذه الصفحة يحتاج إلى JavaScript. يُرجى الطلب من الموظفين.' },
};

const HEADERS = [
  ...['content-type', 'text/html; charset=utf-8', 'cache-control', 'no-store'],
  ...[
    'x-content-type-options',
    'nosniff',
    'referrer-policy',
    'no-referrer',
    'x-robots-tag',
    'noindex, nofollow',
  ],
  'content-security-policy',
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'",
];

/** More than a restaurant has, and few enough not to delay other requests. */
const MOST_ITEMS = 1_000;

/** The menu as a page without a script, for browsers that run none: what is served now and what it costs. */
export function plainMenuRoutes({ menus, storePace, findPlace }: GuestContext): Route[] {
  return [
    route('GET', '/order/{code}/menu', 'get_plain_menu', {
      summary: 'The menu as a page without a script',
      tag: 'Places',
      permission: 'guest',
      params: CodeParams,
      responses: [{ status: 200, description: 'The page', contentType: 'text/html' }],
      findResource: findPlace,
      handler: async ({ db, request, resource: { store, place } }) => {
        const shown = requireFound(await getStore(db, store.id), 'Place');
        const { list } = await menus.prices.read(store, store.menu);
        const first = firstLanguage(shown.name);
        const language = preferred(request.headers, list.languages) ?? first ?? 'en';
        const isOpen = openAt({
          at: await storePace.readyFrom(db, store),
          timezone: store.timezone ?? 'UTC',
          moved: await storePace.movedDaysOf(db, store),
        });
        const title = nameIn(language, JSON.stringify(shown.name), '');
        const sections = sectionsOf(list, (menu) => {
          const hours = list.hours[menu];
          return hours === undefined || isOpen(hours);
        });
        const body = pageOf({ language, title, label: place.label }, sections, (item) =>
          rowOf(item, isInStock(list, item), language, store.currency),
        );
        return { status: 200, headers: HEADERS, body };
      },
    }),
  ];
}

/** The first language that the browser asks for and the menu has. */
function preferred(headers: IncomingHttpHeaders, offered: readonly string[]): string | undefined {
  const baseOf = (tag: string) => tag.trim().split(/[-;]/, 1)[0]?.toLowerCase();
  const wanted = headers['accept-language']?.slice(0, 200).split(',').map(baseOf) ?? [];
  return wanted.flatMap((base) => offered.find((tag) => baseOf(tag) === base) ?? [])[0];
}

/** What is served now, by category. */
function sectionsOf(list: PriceList, isOpen: (menu: number) => boolean): Map<string, PricedItem[]> {
  const sections = new Map<string, PricedItem[]>();
  let count = 0;
  for (const item of list.items.values()) {
    const { category, isSoldSeparately, menus } = item;
    if (category === undefined || !isSoldSeparately || !menus.some(isOpen)) continue;
    const items = sections.get(category.name) ?? [];
    items.push(item);
    sections.set(category.name, items);
    count += 1;
    if (count === MOST_ITEMS) break;
  }
  return sections;
}

function rowOf(item: PricedItem, isThere: boolean, language: string, currency: string | undefined): string {
  const { soldOut } = wordsOf(language);
  const allergens = item.allergens === undefined ? '' : showAllergens(item.allergens, language);
  return (
    `<li><span>${escaped(nameIn(language, item.name, ''))}` +
    (allergens === '' ? '' : `<small>${escaped(allergens)}</small>`) +
    (isThere ? '' : `<em>${soldOut}</em>`) +
    `</span><b>${escaped(toMoney(item.price + item.tax, currency))}</b></li>`
  );
}

interface Head {
  readonly language: string;
  readonly title: string;
  readonly label: string;
}

function pageOf(
  { language, title, label }: Head,
  sections: ReadonlyMap<string, readonly PricedItem[]>,
  toRow: (item: PricedItem) => string,
): string {
  const parts = [...sections].map(
    ([name, items]) => `<h2>${escaped(nameIn(language, name, ''))}</h2><ul>${items.map(toRow).join('')}</ul>`,
  );
  return (
    `<!doctype html><html lang="${escaped(language)}" dir="auto"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">' +
    `<title>${escaped(title)}</title><link rel="icon" href="/order/icon.svg"><link rel="stylesheet" href="/order/plain.css">` +
    `</head><body><h1>${escaped(title)}</h1><p>${escaped(label)}</p>${parts.join('')}<p>${wordsOf(language).ask}</p></body></html>`
  );
}

function wordsOf(language: string) {
  return WORDS[language.toLowerCase().split('-', 1)[0] ?? ''] ?? ENGLISH;
}
