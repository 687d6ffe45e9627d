import type { ManagedOrder, ManagedStore, Order } from '#sdk';
import { client } from '../../../data/session.js';
import { t, tx } from '../../../text/t.js';
import { areOrders, useChanges, type LiveStore } from '../../../data/live/live-store.js';
import { Busy, Trouble, useLoad } from '../../../ui/loading.js';
import { Empty, Table } from '../../../ui/table.js';
import { toCallNumber, toDateTime, toList, toMoney, toNameAtPlace } from '../../../text/format.js';
import { toOrderLines } from '../read-lines.js';
import { isOpen, StatusBadge } from '../../../ui/order-status.js';
import { Pager } from '../../../ui/pager.js';
import { Timing } from '../timing.js';
import { useTitle } from '../../../ui/use-title.js';
import { place, toHref } from '../../../app/router.js';
import { nameOf, timezoneOf } from '../../../data/stores.js';
import { readManaged } from '../../../data/managed-orders.js';
import { Filters } from './filters.js';
import { isBackwards, isFiltered, readFilter, readSearch, toQuery, type Filter } from './filter.js';
import { findByNumber, LATEST } from './find-by-number.js';
import './orders.css';

const PAGE_SIZE = 25;

interface OrdersPageProps {
  readonly store: ManagedStore;
  readonly live: LiveStore;
}

/** All orders of a store, newest first, found by what a caller on the phone or a slip of paper can say. */
export function OrdersPage({ store, live }: OrdersPageProps) {
  const filter = readFilter(place.value.query);
  const timezone = timezoneOf(store);
  const asked = JSON.stringify(filter);
  const { value, error, isLoading, reload } = useLoad(
    async (signal) => {
      if (isBackwards(filter)) return undefined;
      const { number } = readSearch(filter.text);
      const open = [...(live.orders.peek()?.values() ?? [])];
      const [list, numbered] = await Promise.all([
        client.listOrders(store.id, toQuery(filter, timezone, PAGE_SIZE), { signal }),
        number === undefined || filter.page > 1 ? [] : findByNumber(store, open, number, signal),
      ]);
      const orders = await readManaged(store.id, list.order_result_list ?? [], signal);
      return { ...list, filter, numbered, orders };
    },
    [store.id, asked],
  );
  useChanges(live, reload, areOrders);
  useTitle(t('orders'), nameOf(store));
  const list = isBackwards(filter) ? undefined : value.value;
  const isTurning = isLoading.value && list !== undefined && asked !== JSON.stringify(list.filter);
  return (
    <>
      <header>
        <h1>{t('orders')}</h1>
        <p class="soft" role="status">
          {list !== undefined && (isTurning ? t('reading_the_orders') : describeCount(list))}
        </p>
      </header>
      <Filters store={store} filter={filter} />
      <Trouble error={error.value} retry={reload} />
      {list === undefined ? (
        error.value === undefined && !isBackwards(filter) && <Busy>{t('reading_the_orders')}</Busy>
      ) : (
        <div class="stack orders" aria-busy={isTurning}>
          {list.numbered.length > 0 && (
            <section class="stack" aria-label={t('orders_with_this_number')}>
              <OrderTable store={store} orders={list.numbered} />
              {list.count > 0 && <h2>{t('by_name_or_phone')}</h2>}
            </section>
          )}
          {list.orders.length > 0 ? (
            <OrderTable store={store} orders={list.orders} />
          ) : (
            list.numbered.length === 0 && <Nothing store={store} filter={filter} count={list.count} />
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

function describeCount({
  count,
  numbered,
  filter,
}: {
  count: number;
  numbered: readonly unknown[];
  filter: Filter;
}) {
  const found = numbered.length > 0 ? [t('count_orders_have_this_number', { count: numbered.length })] : [];
  if (!isFiltered(filter)) return t('count_orders', { count });
  if (count > 0 || found.length === 0) found.push(t('count_orders_match', { count }));
  return toList(found);
}

function hrefOf(store: ManagedStore, { text, from, to, page }: Filter): string {
  return toHref(`/stores/${store.id}/orders`, {
    q: text,
    from,
    to,
    page: page === 1 ? undefined : String(page),
  });
}

function Nothing({ store, filter, count }: { store: ManagedStore; filter: Filter; count: number }) {
  const all = toHref(`/stores/${store.id}/orders`);
  if (count > 0)
    return (
      <Empty icon="orders" title={t('there_is_no_such_page_of_orders')}>
        <a class="button" href={hrefOf(store, { ...filter, page: 1 })}>
          {t('to_the_first_page')}
        </a>
      </Empty>
    );
  if (isFiltered(filter))
    return (
      <Empty icon="search" title={t('no_order_matches')}>
        <p>{t('a_part_of_a_name_or', { latest: LATEST })}</p>
        <a class="button" href={all}>
          {t('show_all_orders')}
        </a>
      </Empty>
    );
  return (
    <Empty icon="orders" title={t('no_orders_yet')}>
      <p>
        {tx('orders_arrive_through_the_api_a', {
          address: <code class="mono">{`POST /manage/v1/stores/${store.id}/orders`}</code>,
        })}
      </p>
      <a class="button" href="/docs/manage">
        {t('how_to_send_one')}
      </a>
    </Empty>
  );
}

function OrderTable({ store, orders }: { store: ManagedStore; orders: readonly ManagedOrder[] }) {
  const timezone = timezoneOf(store);
  return (
    <Table
      columns={[t('order_noun'), t('customer'), t('what_was_ordered'), t('placed'), t('status'), t('total')]}
      isLastNumber
    >
      {orders.map((order) => (
        <tr key={order.id} class="link">
          <td class="lead">
            <a class="order-link number" href={toHref(`/stores/${store.id}/orders/${order.id}`)}>
              {toCallNumber(order)}
            </a>
          </td>
          <td data-label={t('customer')}>
            <div>
              <bdi class="clamp one-line">{toNameAtPlace(order)}</bdi>
              <div class="small soft number">
                <bdi class="clamp one-line">{order.customer.phone}</bdi>
              </div>
            </div>
          </td>
          <td data-label={t('what_was_ordered')} class="soft">
            <bdi class="clamp one-line">{summaryOf(order)}</bdi>
          </td>
          <td data-label={t('placed')} class="tight number">
            {toDateTime(order.created_at, timezone)}
          </td>
          <td data-label={t('status')}>
            <div class="row">
              <StatusBadge status={order.status} />
              {isOpen(order.status) && <Timing readyBy={order.ready_by} />}
            </div>
          </td>
          <td data-label={t('total')} class="end number tight">
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
  const listed = toList(names);
  return more > 0 ? t('items_and_count_more', { items: listed, count: more }) : listed;
}
