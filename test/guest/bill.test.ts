import { describe, expect, it } from 'vitest';
import { erase } from '../customers/customers.js';
import { guestClient, openForGuests } from '../harness/guest.js';
import { patch, type OrderBody } from '../harness/orders.js';
import { useService } from '../harness/service.js';

const service = await useService();
const guest = guestClient(service);

interface BillBody {
  readonly orders: readonly OrderBody[];
  readonly due: number;
  readonly detail?: string;
  readonly bill?: BillBody;
}

describe('the bill of a place', () => {
  it('adds up what its orders owe, and is settled as a whole', async () => {
    const { place, key, manage } = await openForGuests(service, { most_open: 50 });
    const [first, second, third] = [
      await guest.order(place.code),
      await guest.order(place.code),
      await guest.order(place.code),
    ].map(({ body }) => body);
    const bill = () => manage<BillBody>('GET', `/places/${place.id}/bill`);
    const settle = (expected_due: number) =>
      manage<BillBody>('POST', `/places/${place.id}/bill/settle`, { method: 'card', expected_due });
    const { body: all } = await bill();
    expect(all).toEqual({ orders: all.orders, price: 630, tax: 66, tip: 0, paid: 0, due: 696 });
    expect(all.orders.map(({ number }) => number)).toEqual([first?.number, second?.number, third?.number]);
    const dueOf = async () => (await manage<{ due: number }[]>('GET', '/places')).body.map(({ due }) => due);
    expect(await dueOf()).toEqual([696]);
    const [gone] = all.orders;
    await patch(service, key, gone?.id ?? '', { status: 'REJECTED', reason: 'too_busy' });
    const late = await settle(696);
    expect([late.status, late.body.bill?.due]).toEqual([409, 464]);
    const paid = await settle(464);
    expect([paid.status, paid.body]).toMatchObject([200, { price: 420, tax: 44, paid: 464, due: 0 }]);
    expect(paid.body.orders).toMatchObject([
      { due: 0, revision: 2, payments: [{ method: 'card', amount: 232 }] },
      { due: 0, payments: [{ method: 'card', amount: 232 }] },
    ]);
    expect((await bill()).body).toEqual({ orders: [], price: 0, tax: 0, tip: 0, paid: 0, due: 0 });
    expect(await dueOf()).toEqual([0]);
    expect((await settle(0)).status).toBe(200);
    expect((await settle(1)).status).toBe(409);
    expect((await guest.get<{ due: number }>(`/orders/${second?.token}`)).body.due).toBe(0);
  });

  it('is paid once, however many settle it while orders arrive', async () => {
    const { place, manage } = await openForGuests(service, { most_open: 50 });
    const settle = async () => {
      const { body } = await manage<BillBody>('GET', `/places/${place.id}/bill`);
      const path = `/places/${place.id}/bill/settle`;
      return (await manage<BillBody>('POST', path, { method: 'cash', expected_due: body.due })).status;
    };
    const order = async () => (await guest.order(place.code)).status;
    const work = [order, settle, order, settle, settle, order, settle, order, settle];
    const statuses = await Promise.all(work.map((one) => one()));
    expect(statuses.every((status) => [200, 201, 409].includes(status))).toBe(true);
    await expect.poll(settle).toBe(200);
    const { body } = await manage<{ orders: { due: number; payments: object[] }[] }>('GET', '/orders');
    expect(body.orders.map(({ due, payments }) => [due, payments.length])).toEqual(
      body.orders.map(() => [0, 1]),
    );
  });

  it('shows a table by its new name, but for the interface', async () => {
    const { place, manage } = await openForGuests(service);
    await guest.order(place.code);
    await manage('PATCH', `/places/${place.id}`, { label: 'Terrace 1' });
    const { body } = await manage<{ orders: OrderBody[] }>('GET', '/orders');
    expect(body.orders).toMatchObject([{ customer: { name: 'Ana' }, place: { label: 'Terrace 1' } }]);
  });

  it('tells the guest what the store has changed, and why', async () => {
    const { place, key, manage } = await openForGuests(service);
    const { body: made } = await guest.order(place.code);
    const { body } = await manage<{ orders: OrderBody[] }>('GET', '/orders');
    const [order] = body.orders;
    const [coffee] = made.items;
    await patch(service, key, order?.id ?? '', {
      items: [{ ...coffee, quantity: 1 }],
      expected_revision: 1,
      reason: 'out_of_item',
    });
    expect((await guest.get(`/orders/${made.token}`)).body).toEqual({
      ...made,
      items: [{ ...coffee, quantity: 1 }],
      ...{ price: 105, tax: 11, due: 116, reason: 'out_of_item' },
      original: { price: 210, tax: 22, items: made.items },
    });
  });

  it('does not call changed lines the original ones once the guest is erased', async () => {
    const { place, key, manage } = await openForGuests(service, { phone: 'required' });
    const phone = '+34 600 100 200';
    const { body: made } = await guest.order(place.code, {
      items: [{ external_id: 'cake', quantity: 2 }],
      customer: { name: 'Ana', phone },
      expected_total: { price: 600, tax: 60 },
    });
    const { body } = await manage<{ orders: OrderBody[] }>('GET', '/orders');
    const items = [{ external_id: 'cake', quantity: 1 }];
    await patch(service, key, body.orders[0]?.id ?? '', { items, expected_revision: 1 });
    expect((await guest.get(`/orders/${made.token}`)).body).toMatchObject({ original: { price: 600 } });
    await erase(service, key, { phone });
    expect((await guest.get(`/orders/${made.token}`)).body).toEqual({
      ...made,
      ...{ price: 300, tax: 30, due: 330 },
      items: items.map((line) => ({ ...line, name: 'Tarta', price: 300, tax: 30 })),
    });
  });
});
