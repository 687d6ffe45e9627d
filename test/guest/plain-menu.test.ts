import { expect, it } from 'vitest';
import { both, coffeeMenu, openForGuests } from '../harness/guest.js';
import { item } from '../harness/menu.js';
import { useService } from '../harness/service.js';

const service = await useService();
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { headers, redirect: 'manual' });

it('is where the page leads a browser that runs no script', async () => {
  const page = await (await get('/order/x')).text();
  expect(page).toContain('<noscript><meta http-equiv="refresh" content="0;url=?plain"');
  const away = await get('/order/a%20b?plain');
  expect([away.status, away.headers.get('location')]).toEqual([307, '/order/a%20b/menu']);
  const style = await get('/order/plain.css');
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
});

it('shows what is served, with prices, allergens and what is sold out, in the language of the browser', async () => {
  const { place, menu, manage } = await openForGuests(service);
  const base = coffeeMenu({ allergens: 'milk' });
  await menu.post({
    ...base,
    items: [...base.items, item('extra', { sell_separately: false }), item('toast')],
    menus: [
      ...base.menus,
      {
        external_id: 'never',
        availability: [{ day_of_week: 'Monday', time_periods: [] }],
        category_external_ids: ['closed'],
      },
    ],
    categories: [
      { external_id: 'c', name: both('Todo', 'All'), item_external_ids: ['coffee', 'cake', 'extra'] },
      { external_id: 'closed', name: both('Cerrado', 'Closed'), item_external_ids: ['toast'] },
    ],
  });
  await manage('PATCH', '/menu/items/cake', { in_stock: false });
  const read = async (language: string) =>
    (await get(`/order/${place.code}/menu`, { 'accept-language': language })).text();
  expect(await read('de-AT, en;q=0.8')).toMatch(
    /<html lang="en".*<h1>Center<\/h1><p>Table 7<\/p><h2>All<\/h2><ul><li><span>Coffee<small>Milk<\/small><\/span><b>1\.10 EUR<\/b><\/li><li><span>Cake<em>Sold out<\/em><\/span><b>3\.30 EUR<\/b><\/li><\/ul><p>Ordering on this page/s,
  );
  expect(await read('fr')).toMatch(/<html lang="es".*<h1>Centro<.*Café<small>Leche<.*Tarta<em>Agotado</s);
});

it('escapes what others wrote, loads nothing but its style, and is not found where the place is not', async () => {
  const { place, menu, manage } = await openForGuests(service);
  const evil = '"><script>alert(1)</script>&';
  await menu.post(coffeeMenu({ name: { translations: { '"><b>': evil, es: evil } }, allergens: evil }));
  await manage('PATCH', '', { name: both(evil, evil) });
  const answer = await get(`/order/${place.code}/menu`);
  const text = await answer.text();
  expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;');
  expect(text).not.toMatch(/<script|<b>">|style=/);
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  );
  expect(answer.headers.get('set-cookie')).toBeNull();
  expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect((await get('/order/unknown/menu')).status).toBe(404);
  await manage('PATCH', '', { guest: { enabled: false } });
  const off = await get(`/order/${place.code}/menu`);
  expect([off.status, await off.json()]).toEqual([404, { detail: 'Place not found' }]);
});
