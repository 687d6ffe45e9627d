import type { ManagedStore, Order } from '#sdk';
import { client } from '../../client.js';
import { Busy } from '../../parts/busy.js';
import { Empty } from '../../parts/empty.js';
import { toCallNumber, toCount, toDateTime, toMoney } from '../../parts/format.js';
import { toOrderLines } from '../../parts/order-lines.js';
import { isOpen, StatusBadge } from '../../parts/order-status.js';
import { Pager } from '../../parts/pager.js';
import { Table } from '../../parts/table.js';
import { Timing } from '../../parts/timing.js';
import { Trouble } from '../../parts/trouble.js';
import { useLoad } from '../../parts/use-load.js';
import { useTitle } from '../../parts/use-title.js';
import { place, toHref } from '../../router.js';
import { nameOf, timezoneOf } from '../../stores.js';
import { withNumbers, type NumberedOrder } from '../../with-numbers.js';
import { Filters } from './filters.js';
import { isFiltered, readFilter, toQuery, type Filter } from './filter.js';
import './orders.css';

const PAGE_SIZE = 25;

/** All orders of a store, newest first, found by what a caller on the phone can say. */
export function OrdersPage({ store }: { readonly store: ManagedStore }) {
  const filter = readFilter(place.value.query);
  const timezone = timezoneOf(store);
  const asked = JSON.stringify(filter);
  const { value, error, isLoading, reload } = useLoad(
    async (signal) => {
      const list = await client.listOrders(store.id, toQuery(filter, timezone, PAGE_SIZE), { signal });
      return { ...list, filter, orders: await withNumbers(store.id, list.order_result_list ?? [], signal) };
    },
    [store.id, asked],
  );
  useTitle('Orders', nameOf(store));
  const list = value.value;
  return (
    <>
      <header>
        <h1>Orders</h1>
        <p class="soft" role="status">
          {list === undefined
            ? ''
            : isLoading.value
              ? 'Reading the orders'
              : toCount(
                  list.count,
                  isFiltered(list.filter) ? 'order matches' : 'order',
                  isFiltered(list.filter) ? 'orders match' : 'orders',
                )}
        </p>
      </header>
      <Filters store={store} filter={filter} />
      {error.value !== undefined && <Trouble error={error.value} retry={reload} />}
      {list === undefined ? (
        error.value === undefined && <Busy>Reading the orders</Busy>
      ) : (
        <div class="stack orders" aria-busy={isLoading.value}>
          {list.orders.length === 0 ? (
            <Nothing store={store} filter={filter} count={list.count} />
          ) : (
            <OrderTable store={store} orders={list.orders} />
          )}
          <Pager
            page={list.page_index}
            pageSize={list.page_size}
            count={list.count}
            href={(page) => hrefOf(store, { ...filter, page })}
          />
        </div>
      )}
    </>
  );
}

function hrefOf(store: ManagedStore, { status, name, phone, from, to, page }: Filter): string {
  return toHref(`/stores/${store.id}/orders`, {
    status,
    name,
    phone,
    from,
    to,
    page: page === 1 ? undefined : String(page),
  });
}

function Nothing({ store, filter, count }: { store: ManagedStore; filter: Filter; count: number }) {
  const all = toHref(`/stores/${store.id}/orders`);
  if (count > 0)
    return (
      <Empty icon="orders" title="There is no such page of orders">
        <a class="button" href={hrefOf(store, { ...filter, page: 1 })}>
          To the first page
        </a>
      </Empty>
    );
  if (isFiltered(filter))
    return (
      <Empty icon="search" title="No order matches">
        <p>A part of a name or of a phone number is enough; capitals and accents do not matter.</p>
        <a class="button" href={all}>
          Show all orders
        </a>
      </Empty>
    );
  return (
    <Empty icon="orders" title="No orders yet">
      <p>
        Orders arrive through the API: a point of sale or a shop sends them to{' '}
        <code class="mono">POST /manage/v1/stores/{store.id}/orders</code>.
      </p>
      <a class="button" href="/docs/manage">
        How to send one
      </a>
    </Empty>
  );
}

function OrderTable({ store, orders }: { store: ManagedStore; orders: readonly NumberedOrder[] }) {
  const timezone = timezoneOf(store);
  return (
    <Table columns={['Order', 'Customer', 'What', 'Placed', 'Status', 'Total']} isLastNumber>
      {orders.map((order) => (
        <tr key={order.id} class="link">
          <td class="lead">
            <a class="order-link number" href={toHref(`/stores/${store.id}/orders/${order.id}`)}>
              {toCallNumber(order)}
            </a>
          </td>
          <td data-label="Customer">
            <div>
              <bdi class="one-line">{order.customer.name}</bdi>
              <div class="small soft number">
                <bdi class="one-line">{order.customer.phone}</bdi>
              </div>
            </div>
          </td>
          <td data-label="What" class="soft">
            <bdi class="one-line">{summaryOf(order)}</bdi>
          </td>
          <td data-label="Placed" class="tight number">
            {toDateTime(order.created_at, timezone)}
          </td>
          <td data-label="Status">
            <div class="row">
              <StatusBadge status={order.status} />
              {isOpen(order.status) && <Timing readyBy={order.ready_by} />}
            </div>
          </td>
          <td data-label="Total" class="end number tight">
            {toMoney(order.price + order.tax, store.currency)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const SUMMARY_LINES = 3;

function summaryOf({ items }: Order): string {
  const names = toOrderLines(items.slice(0, SUMMARY_LINES)).map(
    ({ quantity, name }) => `${quantity}× ${name.slice(0, 60)}`,
  );
  const more = items.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
