import { useEffect } from 'preact/hooks';
import type { ManagedOrder, ManagedStore } from '#sdk';
import { PrinterTrouble } from '../../../app/printer-trouble.js';
import { Live } from '../../../data/live/connection.js';
import type { LiveStore } from '../../../data/live/live-store.js';
import { stationOf, useStations, type Stations } from '../../../data/stations.js';
import { nameOf } from '../../../data/stores.js';
import { toCallNumber, toList } from '../../../text/format.js';
import { t } from '../../../text/t.js';
import { Busy, Trouble } from '../../../ui/loading.js';
import { Icon } from '../../../ui/icon.js';
import { STATUS_WORDS } from '../../../ui/order-status.js';
import { sayError } from '../../../ui/toasts.js';
import { useShown } from '../../../ui/use-shown.js';
import { useTitle } from '../../../ui/use-title.js';
import { CrossOff, isCrossedOff } from '../actions/cross-off.js';
import { useMoves, type Moves } from '../actions/moves.js';
import { OrderActions } from '../actions/order-actions.js';
import { keepAwake } from '../board/keep-awake.js';
import { Service } from '../order-facts.js';
import { OrderLines } from '../order-lines.js';
import { TicketHead } from '../ticket-head.js';
import '../board/board.css';
import './pass.css';

/** Where plates come together: each order with its stations, and what is still missing. */
export function PassPage({ store, live }: { readonly store: ManagedStore; readonly live: LiveStore }) {
  const moves = useMoves(live.readAgain, [live]);
  const stations = useStations(store, live);
  const isShown = useShown(stations !== undefined);
  useEffect(keepAwake, []);
  useTitle(t('the_pass'), nameOf(store));
  const error = live.error.value;
  const laterIds = new Set(live.later.value.map(({ id }) => id));
  const orders = [...(live.orders.value?.values() ?? [])]
    .filter(({ id }) => !laterIds.has(id))
    .sort((one, other) => one.ready_by.localeCompare(other.ready_by) || one.id.localeCompare(other.id));
  const isAway = live.away.value !== undefined;
  return (
    <div class={isAway ? 'board away' : 'board'}>
      <header class="row">
        <h1>{t('the_pass')}</h1>
        <Live live={live} />
      </header>
      <PrinterTrouble store={store} live={live} />
      <Trouble error={error} retry={() => void live.reload()} />
      {!isShown && <Busy />}
      {isShown && live.orders.value !== undefined && (
        <div class="columns pass" inert={isAway}>
          {(['ACCEPTED', 'READY'] as const).map((status) => {
            const here = orders.filter((order) => order.status === status);
            return (
              <section
                key={status}
                class={`column ${status.toLowerCase()}`}
                aria-labelledby={`pass-${status}`}
              >
                <h2 id={`pass-${status}`}>
                  {STATUS_WORDS[status]} <span class="count">{here.length}</span>
                </h2>
                {here.length === 0 && <p class="nothing">{t('the_pass_is_empty')}</p>}
                <ul class="tickets">
                  {here.map((order) => (
                    <li key={order.id}>
                      <PassCard
                        order={order}
                        storeId={store.id}
                        stations={stations}
                        moves={moves}
                        onChanged={() => void live.readAgain(order.id).catch(sayError)}
                      />
                    </li>
                  ))}
                </ul>
              </section>
            );
          })}
        </div>
      )}
    </div>
  );
}

interface PassCardProps {
  readonly order: ManagedOrder;
  readonly storeId: string;
  readonly stations: Stations | undefined;
  readonly moves: Moves;
  readonly onChanged: () => void;
}

function PassCard({ order, storeId, stations, moves, onChanged }: PassCardProps) {
  const groups = byStation(order, stations);
  const named = [...groups.keys()].filter((station) => station !== undefined);
  const missing = named.filter((station) => !isCrossedOff(order, station));
  const isMade = order.status === 'READY' || (named.length > 0 && missing.length === 0);
  const number = toCallNumber(order);
  return (
    <article class="ticket" aria-label={t('order_number', { number })}>
      <TicketHead order={order} storeId={storeId} isTimed={order.status === 'ACCEPTED'}>
        <Service service={order.service} />
      </TicketHead>
      {isMade ? (
        <p class="badge ready">
          <Icon name="check" />
          {t('all_is_here')}
        </p>
      ) : (
        named.length > 0 && (
          <p class="badge kitchen">{t('missing_stations', { stations: toList(missing) })}</p>
        )
      )}
      {[...groups].map(([station, items]) => (
        <div key={station ?? ''} class="pass-station" data-done={isMade || isCrossedOff(order, station)}>
          <OrderLines items={items} />
          {station !== undefined && <CrossOff order={order} station={station} onChanged={onChanged} />}
        </div>
      ))}
      <OrderActions order={order} moves={moves} />
    </article>
  );
}

/** The lines of an order by where they are made; those of no station come last. */
function byStation({ items }: ManagedOrder, stations: Stations | undefined) {
  const groups = new Map<string | undefined, ManagedOrder['items']>();
  for (const item of items) {
    const station = stationOf(stations, item);
    groups.set(station, [...(groups.get(station) ?? []), item]);
  }
  return new Map([...groups].sort(([one], [other]) => (one ?? '\uffff').localeCompare(other ?? '\uffff')));
}
