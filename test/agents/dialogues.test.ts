import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fromWall, toWall } from '../../src/calendar/wall-clock.js';
import { connectAssistant } from '../harness/assistant.js';
import { openForGuests } from '../harness/guest.js';
import { useService } from '../harness/service.js';

const ZONE = 'Europe/Madrid';
const DAY_MS = 86_400_000;
const page = await readFile(new URL('../../docs/agents.md', import.meta.url), 'utf8');
const service = await useService();

/** The two days of the page, as if it had been written today. */
const dayBefore = (days: number) => toWall(Date.now() - days * DAY_MS, ZONE).slice(0, 10);
const offset = (day: string) =>
  (Date.parse(`${day}T00:00:00Z`) - fromWall(`${day}T00:00`, ZONE)) / 3_600_000 === 2 ? '+02:00' : '+01:00';
const asOfToday = (text: string) =>
  text
    .replaceAll('2026-11-18T00:00:00+01:00', `${dayBefore(0)}T00:00:00${offset(dayBefore(0))}`)
    .replaceAll('2026-11-17T00:00:00+01:00', `${dayBefore(1)}T00:00:00${offset(dayBefore(1))}`)
    .replaceAll('2026-11-17', dayBefore(1))
    .replaceAll('2026-11-16', dayBefore(2));

const STEP = /^Call `(\w+)`( as a guest)?:\n\n```json\n(.*?)^```\n\nAnswer:\n\n```json\n(.*?)^```$/gms;

it('answers each call of the three dialogues as docs/agents.md says', async () => {
  const store = await openForGuests(service);
  await store.manage('PATCH', '', { timezone: ZONE });
  const order = (day: string, more: object) =>
    store.manage('POST', '/orders', {
      customer: { name: 'Ana', phone: '' },
      items: [{ external_id: 'coffee', name: 'Café', quantity: 1, price: 100, tax: 10 }],
      ...{ price: 100, tax: 10, ready_by: `${day}T14:00:00Z`, created_at: `${day}T13:00:00Z`, ...more },
    });
  for (let i = 0; i < 6; i += 1) await order(dayBefore(2), { status: 'FULFILLED' });
  for (let i = 0; i < 6; i += 1) {
    const { body } = await order(dayBefore(1), i < 2 ? { status: 'FULFILLED' } : {});
    const { id } = body as { id: string };
    if (i < 2) continue;
    const staff = await connectAssistant(`${service.url}/mcp`, { 'x-api-key': store.key });
    await staff.call('change_order_status', { order_id: id, status: 'REJECTED', reason: 'too_busy' });
  }

  const staff = await connectAssistant(`${service.url}/mcp`, { 'x-api-key': store.key });
  const guest = await connectAssistant(`${service.url}/guest/mcp/${store.place.code}`);
  const known = new Map([['$STORE', store.storeId]]);
  const filled = (json: string) => {
    let text = asOfToday(json);
    for (const [name, value] of known) text = text.replaceAll(name, value);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const steps = [...page.matchAll(STEP)];
  expect(steps.map(([, tool]) => tool)).toEqual([
    ...['search_menu', 'propose_menu_changes', 'publish_proposal', 'sales', 'list_orders'],
    ...['get_item', 'quote', 'place_order', 'get_order'],
  ]);
  for (const [, tool = '', asGuest, args = '', expected = ''] of steps) {
    const { body, isError } = await (asGuest === undefined ? staff : guest).call(tool, filled(args));
    expect({ tool, isError }).toEqual({ tool, isError: false });
    for (const [field, value] of Object.entries(filled(expected)))
      if (typeof value === 'string' && value.startsWith('$')) known.set(value, String(body[field]));
    expect(body).toMatchObject(filled(expected));
  }
});
