import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { guestClient, openForGuests } from '../harness/guest.js';
import { useService } from '../harness/service.js';

const service = await useService();
const guest = guestClient(service);

it('tells how the order stands, with each change and the reason, until it is final', async () => {
  const { place, storeId, key } = await openForGuests(service);
  const { body: made } = await guest.order(place.code);
  const [order] = (
    await ask<{ orders: { id: string }[] }>(`${service.url}/manage/v1/stores/${storeId}/orders`, { key })
  ).body.orders;
  const change = (body: object) =>
    ask(`${service.url}/manage/v1/orders/${order?.id ?? ''}`, { method: 'PATCH', key, body });
  const url = `${service.url}/guest/v1/orders/${made.token}/stream`;
  const answer = await fetch(url);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const told: { id: string; data: Record<string, unknown> }[] = [];
  let text = '';
  const steps = [
    { status: 'ACCEPTED' },
    { is_read: true },
    { ready_by: '2036-01-01T12:00:00.000Z' },
    { status: 'STORE_CANCELLED', reason: 'problem_in_kitchen', reason_text: 'The oven broke' },
  ];
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) break;
      const message = /^id: (\d+)\nevent: order\ndata: (.*)$/s.exec(text.slice(0, end));
      text = text.slice(end + 2);
      if (message === null) continue;
      told.push({ id: message[1] ?? '', data: JSON.parse(message[2] ?? '') as Record<string, unknown> });
      const next = steps.shift();
      if (next !== undefined) await change(next);
      // Of no interest to the guest, so that nothing would be told.
      if (steps[0] !== undefined && 'is_read' in steps[0]) await change(steps.shift() ?? {});
      if (next !== undefined && 'status' in next && next.status === 'ACCEPTED')
        await change(steps.shift() ?? {});
    }
  }
  expect(told.map(({ data }) => data['status'])).toEqual(
    expect.arrayContaining(['PENDING', 'STORE_CANCELLED']),
  );
  const last = told.at(-1);
  expect(last?.data).toEqual({
    status: 'STORE_CANCELLED',
    ready_by: '2036-01-01T12:00:00.000Z',
    reason: 'problem_in_kitchen',
    reason_text: 'The oven broke',
    ...{ price: 210, tax: 22, due: 232 },
  });
  const seen = await guest.get(`/orders/${made.token}`);
  expect(seen.body).toEqual({ ...made, ...last?.data });
  // A browser reconnects when a stream ends; 204 makes it stop.
  expect((await guest.get(`/orders/${made.token}/stream`, { 'last-event-id': last?.id ?? '' })).status).toBe(
    204,
  );
  expect((await guest.get(`/orders/${made.token}/stream`)).status).toBe(200);
});

it('is open on eight screens at most, and on another once one of them is gone', async () => {
  const { place } = await openForGuests(service);
  const { body: made } = await guest.order(place.code);
  const screens: AbortController[] = [];
  const open = async () => {
    const screen = new AbortController();
    screens.push(screen);
    const url = `${service.url}/guest/v1/orders/${made.token}/stream`;
    return (await fetch(url, { signal: screen.signal })).status;
  };
  const statuses = [];
  for (let i = 0; i < 9; i += 1) statuses.push(await open());
  expect(statuses).toEqual([...Array.from({ length: 8 }, () => 200), 429]);
  screens[0]?.abort();
  await expect.poll(open).toBe(200);
  for (const screen of screens) screen.abort();
});
