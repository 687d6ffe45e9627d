import { describe, expect, it } from 'vitest';
import { connectAssistant } from '../harness/assistant.js';
import { openForGuests } from '../harness/guest.js';
import { useService } from '../harness/service.js';

const service = await useService();
const store = await openForGuests(service);
const staff = () => connectAssistant(`${service.url}/mcp`, { 'x-api-key': store.key });
const guest = () => connectAssistant(`${service.url}/guest/mcp/${store.place.code}`);

it('x', async () => {
  const a = await staff();
  console.log(JSON.stringify(await a.tools()).length);
  const id = store.storeId;
  const show = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError, text, body } = await a.call(name, args);
    console.log(name, isError, text);
    return body;
  };
  await show('list_stores');
  await show('search_menu', { store_id: id, text: 'cafe' });
  await show('get_item', { store_id: id, external_id: 'coffee' });
  await show('available_menu', { store_id: id });
  const changes = [{ kind: 'item', external_id: 'coffee', set: { price: 120 } }];
  const { proposal } = await show('propose_menu_changes', { store_id: id, changes });
  await show('publish_proposal', { store_id: id, changes, proposal });
  await show('publish_proposal', { store_id: id, changes, proposal });
  await show('set_stock', { store_id: id, external_id: 'cake', in_stock: false, until: 'end_of_day' });
  await show('get_intake', { store_id: id });
  await show('set_intake', { store_id: id, busy: { extra_minutes: 10 } });
  const quote = await show('quote', { store_id: id, items: [{ external_id: 'coffee', quantity: 2 }] });
  const order = await show('create_order', { store_id: id, items: quote['items'], price: quote['price'], tax: quote['tax'], customer: { name: 'Ana', phone: '1' }, idempotency_key: 'k' });
  await show('get_order', { order_id: order['id'] });
  await show('get_order', { order_id: order['id'], include_customer: true });
  await show('list_orders', { store_id: id });
  await show('change_order_status', { order_id: order['id'], status: 'ACCEPTED' });
  await show('sales', { store_id: id });
  await show('sales', { store_id: id, by: 'nonsense', x: 1 });
  await show('sales', { store_id: id, by: 'nonsense' });
  await show('quote', { store_id: id, items: [{ external_id: 'coffe', quantity: 2 }, { external_id: 'cake', quantity: 0 }] });
  const g = await guest();
  const gshow = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError, text, body } = await g.call(name, args);
    console.log(name, isError, text);
    return body;
  };
  console.log((await g.tools()).length);
  await gshow('get_place');
  await gshow('search_menu', {text: 'coffee'});
  await gshow('get_item', {external_id: 'coffee'});
  const q = await gshow('quote', {items: [{ external_id: 'coffee', quantity: 1, comments: 'hot' }]});
  const o = await gshow('place_order', {items: [{ external_id: 'coffee', quantity: 1, comments: 'hot' }], expected_total: {price: q['price'], tax: q['tax']}, idempotency_key: 'a'});
  await gshow('place_order', {items: [{ external_id: 'coffee', quantity: 1, comments: 'hot' }], expected_total: {price: 1, tax: 1}, idempotency_key: 'b'});
  await gshow('get_order', {token: o['token']});
  await gshow('cancel_order', {token: o['token']});
  await gshow('cancel_order', {token: o['token']});
});
