// The same operations as most teams would write them: one statement after the other, rows turned into objects, and the
// response schemas that let Fastify write JSON fast. Its settings come as JSON, like those of bench/references.
import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const { connection } = JSON.parse(process.argv[2] ?? '{}');
const pool = new pg.Pool({ ...connection, max: 10 });
const app = Fastify({ bodyLimit: 32 * 1024 * 1024 });

const query = async (name, text, values) => (await pool.query({ name, text, values })).rows;
const notFound = (what) => Object.assign(new Error(`${what} not found`), { statusCode: 404 });

app.addHook('onRequest', async (request) => {
  const hash = createHash('sha256')
    .update(request.headers['x-api-key'] ?? '')
    .digest();
  const [key] = await query('key', 'SELECT merchant_id FROM peer.keys WHERE hash = $1', [hash]);
  if (key === undefined) throw Object.assign(new Error('Invalid API key'), { statusCode: 401 });
  request.merchantId = key.merchant_id;
});

const text = { type: 'string' };
const integer = { type: 'integer' };
const flag = { type: 'boolean' };
const time = { type: 'string', format: 'date-time' };
const anything = { type: 'object', additionalProperties: true };
const orderFields = {
  created_at: time,
  id: text,
  store: { type: 'object', properties: { created_at: time, id: text, name: anything } },
  customer: { type: 'object', properties: { name: text, phone: text } },
  status: text,
  price: integer,
  tax: integer,
  items: { type: 'array', items: anything },
  ready_by: time,
  is_read: flag,
  in_pos: flag,
  completed_at: time,
};
const result = { result_code: text, result_message: text };
const orderShape = { type: 'object', properties: orderFields };
const SUCCESS = { result_code: '000000', result_message: 'Success' };

const ORDERS = `
  SELECT o.*, s.name AS store_name, s.created_at AS store_created_at
  FROM peer.orders o JOIN peer.stores s ON s.id = o.store_id`;

function toOrder(row) {
  return {
    created_at: row.created_at,
    id: row.id,
    store: { created_at: row.store_created_at, id: row.store_id, name: row.store_name },
    customer: { name: row.customer_name, phone: row.customer_phone },
    status: row.status,
    price: row.price,
    tax: row.tax,
    items: row.items,
    ready_by: row.ready_by,
    is_read: row.is_read,
    in_pos: row.in_pos,
    ...(row.completed_at === null ? {} : { completed_at: row.completed_at }),
  };
}

const listSchema = {
  querystring: {
    type: 'object',
    properties: {
      page_index: { type: 'integer', minimum: 1, default: 1 },
      page_size: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      status: text,
    },
  },
  response: {
    200: {
      type: 'object',
      properties: {
        page_index: integer,
        page_size: integer,
        count: integer,
        ...result,
        order_result_list: { type: 'array', items: orderShape },
      },
    },
  },
};

app.get('/v1/stores/:store/orders/', { schema: listSchema }, async (request) => {
  const { page_index, page_size, status } = request.query;
  const values = [request.params.store, request.merchantId, ...(status === undefined ? [] : [status])];
  const where = `WHERE o.store_id = $1 AND s.merchant_id = $2 ${status === undefined ? '' : 'AND o.status = $3'}`;
  const [counted, rows] = await Promise.all([
    query(
      `count ${values.length}`,
      `SELECT count(*)::integer AS count FROM peer.orders o JOIN peer.stores s ON s.id = o.store_id ${where}`,
      values,
    ),
    query(
      `page ${values.length}`,
      `${ORDERS} ${where} ORDER BY o.created_at DESC, o.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, page_size, (page_index - 1) * page_size],
    ),
  ]);
  return { page_index, page_size, count: counted[0].count, ...SUCCESS, order_result_list: rows.map(toOrder) };
});

const singleSchema = { response: { 200: { type: 'object', properties: { ...orderFields, ...result } } } };

app.get('/v1/orders/:id', { schema: singleSchema }, async (request) => {
  const values = [request.params.id, request.merchantId];
  const [row] = await query('order', `${ORDERS} WHERE o.id = $1 AND s.merchant_id = $2`, values);
  if (row === undefined) throw notFound('Order');
  return { ...toOrder(row), ...SUCCESS };
});

/** Each kind of a menu, the field that names its parts, and what the tree calls them. */
const KINDS = [
  { kind: 'modifier_items' },
  { kind: 'modifier_groups', from: 'modifier_item_external_ids', to: 'modifier_items' },
  { kind: 'items', from: 'modifier_external_ids', to: 'modifier_groups' },
  { kind: 'categories', from: 'item_external_ids', to: 'items' },
  { kind: 'menus', from: 'category_external_ids', to: 'categories' },
];
const ENTITIES = `
  SELECT e.id::integer AS id, e.kind, e.external_id, e.body FROM peer.entities e
  WHERE e.store_id = $1 ORDER BY e.kind, e.position`;

function toTree(rows) {
  let parts = new Map();
  for (const { kind, from, to } of KINDS) {
    const entities = new Map();
    for (const row of rows) {
      if (row.kind !== kind) continue;
      const { [from]: names, ...body } = row.body;
      const nested = to === undefined ? {} : { [to]: (names ?? []).map((name) => parts.get(name)) };
      entities.set(row.external_id, { id: row.id, ...body, ...nested });
    }
    parts = entities;
  }
  return [...parts.values()];
}

const named = { type: 'object', required: ['external_id'], properties: { external_id: text } };
const listOf = (required) => ({
  type: 'array',
  default: [],
  items: { ...named, required: ['external_id', ...required] },
});
const menuSchema = {
  body: {
    type: 'object',
    required: ['items'],
    properties: {
      menus: listOf(['availability']),
      categories: listOf(['name']),
      items: listOf(['name', 'price', 'tax', 'sell_separately']),
      modifier_groups: listOf(['type', 'name', 'group_max', 'group_min', 'charge_after']),
      modifier_items: listOf(['name', 'price_change', 'tax_change']),
    },
  },
};

app.post('/v1/stores/:store/menu_configuration/', { schema: menuSchema }, async (request) => {
  const { store } = request.params;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const own = 'SELECT FROM peer.stores s WHERE s.id = $1 AND s.merchant_id = $2 FOR UPDATE';
    const { rowCount } = await client.query(own, [store, request.merchantId]);
    if (rowCount === 0) throw notFound('Store');
    await client.query('DELETE FROM peer.entities e WHERE e.store_id = $1', [store]);
    for (const { kind } of KINDS) {
      await client.query(
        `INSERT INTO peer.entities (store_id, kind, position, external_id, body)
         SELECT $1, $2, e.position, e.body ->> 'external_id', e.body
         FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS e (body, position)`,
        [store, kind, JSON.stringify(request.body[kind])],
      );
    }
    const { rows } = await client.query(ENTITIES, [store]);
    await client.query('COMMIT');
    return { menu_configuration: toTree(rows) };
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
});

app.get('/v1/stores/:store/menu_configuration/', async (request) => {
  const values = [request.params.store, request.merchantId];
  const found = await query(
    'own',
    'SELECT FROM peer.stores s WHERE s.id = $1 AND s.merchant_id = $2',
    values,
  );
  if (found.length === 0) throw notFound('Store');
  return { menu_configuration: toTree(await query('entities', ENTITIES, [request.params.store])) };
});

const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`ready on ${address}\n`);
