import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { item, menuClient, modifierGroup, modifierItem } from '../harness/menu.js';
import { LATER, orderRequest, type OrderBody } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const service = await useService();

const dish = (id: string, price: number, tax = 0, groups: readonly string[] = []) =>
  item(id, { price, tax, modifier_external_ids: groups });
const extra = (id: string, price_change: number, tax_change = 0) =>
  modifierItem(id, { price_change, tax_change, max_quantity: 5 });
const choose = (group_external_id: string, external_id: string) => ({
  group_external_id,
  external_id,
  quantity: 1,
});

const MENU = {
  items: [
    dish('MAR-SM', 900, 0, ['Sauce']),
    dish('BROWN', 300),
    dish('COK', 100),
    dish('WBBQ', 400),
    dish('3', 1190),
    dish('17', 300, 0, ['Sauce']),
    dish('dish_margherita_12', 1600, 171, ['toppings']),
    dish('dish_caesar', 1100, 96),
    dish('OD-BURGER', 3290, 0, ['Adicionais']),
    dish('OD-GUARANA', 790),
    dish('CHKROY', 749, 0, ['Extras']),
    dish('PIE1', 1250),
  ],
  menus: [],
  categories: [],
  modifier_groups: [
    modifierGroup('Sauce', { modifier_item_external_ids: ['BBQ', '31'] }),
    modifierGroup('Adicionais', { modifier_item_external_ids: ['BACON'] }),
    modifierGroup('Extras', { modifier_item_external_ids: ['CHEESE'] }),
    modifierGroup('toppings', { modifier_item_external_ids: ['mod_extra_mozzarella', 'mod_fresh_basil'] }),
  ],
  modifier_items: [
    extra('BBQ', 100),
    extra('BACON', 450),
    extra('CHEESE', 80),
    extra('31', 50),
    extra('mod_extra_mozzarella', 200),
    extra('mod_fresh_basil', 150),
  ],
};

/** Five dishes for 50.00 and 4.38 of tax. */
const PIZZA = {
  items: [
    {
      external_id: 'dish_margherita_12',
      quantity: 2,
      modifiers: [choose('toppings', 'mod_extra_mozzarella'), choose('toppings', 'mod_fresh_basil')],
      comments: 'Well done crust, please',
    },
    { external_id: 'dish_caesar', quantity: 1, comments: 'Dressing on the side' },
  ],
};
const fee = (kind: string, name: string, price: number) => ({ kind, name, price, tax: 0 });

/** Orders of other systems' documentation, and what is due and in all, in cents. */
const ORDERS: readonly (readonly [name: string, order: object, total: number, due: number])[] = [
  [
    'HubRise, a delivery that is created',
    {
      service: 'delivery',
      source: { name: 'Website', reference: '17654321' },
      items: [
        { external_id: 'MAR-SM', quantity: 2, modifiers: [choose('Sauce', 'BBQ')] },
        { external_id: 'BROWN', quantity: 1 },
        { external_id: 'COK', quantity: 1 },
        { external_id: 'WBBQ', quantity: 1 },
      ],
      discounts: [{ name: '5€ off your order', price: 500, tax: 0, code: '5OFF' }],
      charges: [fee('delivery', 'Delivery < 15 km', 150)],
      payments: [{ method: 'online', amount: 2350, reference: 'PP' }],
      custom: {
        deals: { 0: { name: 'Buy a dessert, get a drink for 1€', ref: 'FREEDRINK' } },
        points_used: '5.0',
      },
      ...{ price: 2450, tax: 0 },
    },
    2450,
    100,
  ],
  [
    'HubRise, one that a courier has',
    {
      service: 'delivery',
      source: { name: 'MyClient', reference: '17654321' },
      references: { hubrise: '5dpm9', uber: '1Z12345E0291980793' },
      items: [
        { external_id: '3', quantity: 1 },
        { external_id: '17', quantity: 2, modifiers: [choose('Sauce', '31')] },
      ],
      discounts: [{ name: '2€ off', price: 200, tax: 0, code: '45' }],
      charges: [fee('other', 'Courier Service', 200)],
      payments: [{ method: 'cash', amount: 1890, reference: 'CSH' }],
      customer: { name: 'Charles Moore', phone: '+33123456789' },
      delivery: {
        address: {
          line_1: '1 avenue des Champs Elysées',
          postal_code: '75001',
          city: 'Paris',
          country: 'FR',
          latitude: 48.858951,
          longitude: 2.277021,
        },
        courier: {
          name: 'John',
          phone: '+33612345678',
          tracking_url: 'https://uber.com/track/1Z12345E0291980793',
        },
        state: 'assigned',
      },
      ...{ price: 1890, tax: 0 },
    },
    1890,
    0,
  ],
  [
    'UCP, a delivery with fees and a tip',
    {
      ...PIZZA,
      service: 'delivery',
      charges: [
        fee('delivery', 'Standard Delivery', 299),
        fee('service', 'Service Fee', 350),
        fee('other', 'City Courier Regulatory Fee', 200),
      ],
      tip: 900,
      ...{ price: 5849, tax: 438 },
    },
    7187,
    7187,
  ],
  ['UCP, a pick-up', { ...PIZZA, service: 'pickup', tip: 500, ...{ price: 5000, tax: 438 } }, 5938, 5938],
  [
    'UCP, promotions and a delivery pass',
    {
      ...PIZZA,
      service: 'delivery',
      discounts: [
        { name: 'Free Garlic Knots', price: 600, tax: 53, paid_by: 'store' },
        { name: 'Promo WELCOME10', price: 440, tax: 39, code: 'WELCOME10', paid_by: 'source' },
      ],
      charges: [fee('service', 'Service Fee', 350)],
      tip: 450,
      ...{ price: 4310, tax: 346 },
    },
    5106,
    5106,
  ],
  // The schema of the order has an example for each field; the amounts are ours, and add up as its text says.
  [
    'Open Delivery 1.7.1, a delivery that is paid in part',
    {
      service: 'delivery',
      source: { name: 'Ordering Application', reference: '8421' },
      references: { opendelivery: '52122852-6626-11ed-9022-0242ac120002' },
      items: [
        {
          external_id: 'OD-BURGER',
          quantity: 2,
          modifiers: [choose('Adicionais', 'BACON')],
          comments: 'Sem cebola',
        },
        { external_id: 'OD-GUARANA', quantity: 2 },
      ],
      charges: [fee('delivery', 'DELIVERY_FEE', 799), fee('service', 'SERVICE_FEE', 99)],
      // One discount with two sponsors.
      discounts: [
        { name: 'CART', price: 700, tax: 0, code: 'BEMVINDO', paid_by: 'source' },
        { name: 'CART', price: 300, tax: 0, code: 'BEMVINDO', paid_by: 'store' },
      ],
      payments: [{ method: 'online', amount: 5000, reference: 'PIX' }],
      customer: { name: 'Maria Souza', phone: '+55 11 5550 0100' },
      delivery: {
        address: {
          line_1: 'Plaza Avenue, 100',
          line_2: 'BL 02 AP 31, Moema',
          postal_code: '20111-000',
          city: 'São Paulo',
          country: 'BR',
          latitude: -23.54823,
          longitude: -46.63632,
        },
        notes: 'Yellow House',
      },
      custom: { orderTiming: 'INSTANT', pending: { method: 'CASH', changeFor: 50 } },
      ...{ price: 8958, tax: 0 },
    },
    8958,
    3958,
  ],
  [
    'Deliverect, a channel order for delivery',
    {
      service: 'delivery',
      source: { name: 'channel', reference: '17E' },
      references: { channelOrderId: '609a1b2c3d4e5f6a7b8c9d0e' },
      items: [
        { external_id: 'CHKROY', quantity: 1, modifiers: [choose('Extras', 'CHEESE')] },
        { external_id: 'PIE1', quantity: 2, comments: 'No salad' },
      ],
      charges: [
        fee('delivery', 'deliveryCost', 250),
        fee('service', 'serviceCharge', 100),
        fee('packaging', 'bagFee', 10),
      ],
      // `discountTotal` is negative there; provider `channel` bears this one.
      discounts: [{ name: 'Test discount', price: 400, tax: 0, code: 'test 1234', paid_by: 'source' }],
      tip: 150,
      payments: [{ method: 'online', amount: 3439, reference: '3' }],
      customer: { name: 'Deliverect Guest', phone: '+15555550123' },
      customer_comments: 'No salad',
      delivery: {
        address: { line_1: 'Korenmarkt 1', postal_code: '9000', city: 'Gent', country: 'BE' },
        courier: { name: 'restaurant' },
        state: 'requested',
      },
      custom: { includeCutlery: true, numberOfCustomers: 1, driverTip: 150, deliveryIsAsap: true },
      ...{ price: 3289, tax: 0 },
    },
    3439,
    0,
  ],
];

describe('an order of another system', () => {
  it.each(ORDERS)('%s: is taken in checked and comes back whole', async (_name, order, total, due) => {
    const { storeId, key } = await createTenant(service);
    await menuClient(service, { storeId, key }).post(MENU);
    const { status, body } = await ask<OrderBody & { price: number; tax: number; tip?: number }>(
      `${service.url}/manage/v1/stores/${storeId}/orders?check=menu`,
      { method: 'POST', key, body: orderRequest({ ready_by: LATER, ...order }) },
    );
    expect([status, body]).toMatchObject([201, order]);
    expect(body.price + body.tax + (body.tip ?? 0)).toBe(total);
    expect(body['due']).toBe(due);
  });
});
