import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PickupScreen } from '#sdk';
import { toHref } from '../../../app/router.js';
import { client, may } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { Icon } from '../../../ui/icon.js';
import { useTitle } from '../../../ui/use-title.js';
import { keepAwake } from '../board/keep-awake.js';
import './pickup.css';

const READ_EVERY_MS = 3_000;
const MOST_WAIT_MS = 10_000;
/** Guests must not trust numbers that are older. */
const OLD_AFTER_MS = 30_000;

/** As many as are read from six metres away; the rest is counted. */
const MOST_NUMBERS = 28;
/** The fewer there are, the larger. */
const columnsFor = (count: number) => (count <= 8 ? 2 : count <= 15 ? 3 : 4);

/** For a television at the counter: the numbers in the kitchen and those to be fetched. */
export function PickupPage({ storeId }: { readonly storeId: string }) {
  const numbers = useSignal<PickupScreen | undefined>(undefined);
  const isOld = useSignal(false);
  useEffect(keepAwake, []);
  useEffect(() => follow(storeId, numbers, isOld), [storeId]);
  useTitle(t('pickup_screen'), 'Comanda');
  const { preparing = [], ready = [] } = numbers.value ?? {};
  return (
    <main class={isOld.value ? 'pickup old' : 'pickup'}>
      <Numbers title={t('in_the_kitchen')} tone="kitchen" numbers={preparing} />
      <Numbers title={t('ready')} tone="ready" numbers={ready} />
      {isOld.value && (
        <p class="pickup-old" role="alert">
          <Icon name="warning" />
          {t('numbers_are_out_of_date')}
        </p>
      )}
      {may('kitchen:read') && (
        <a class="button pickup-leave" href={toHref(`/stores/${storeId}`)} aria-label={t('leave')}>
          <Icon name="close" />
        </a>
      )}
    </main>
  );
}

interface NumbersProps {
  readonly title: string;
  readonly tone: 'kitchen' | 'ready';
  readonly numbers: readonly number[];
}

function Numbers({ title, tone, numbers }: NumbersProps) {
  const more = numbers.length - MOST_NUMBERS;
  return (
    <section class={tone} aria-label={title}>
      <h1>{title}</h1>
      <ol data-columns={columnsFor(numbers.length)}>
        {numbers.slice(0, MOST_NUMBERS).map((number) => (
          <li key={number}>{number}</li>
        ))}
      </ol>
      {more > 0 && <p>{t('and_count_more', { count: more })}</p>}
    </section>
  );
}

interface Held<T> {
  value: T;
}

/** Asks again and again, however long the service or the network is away; returns what ends it. */
function follow(storeId: string, numbers: Held<PickupScreen | undefined>, isOld: Held<boolean>): () => void {
  const stopping = new AbortController();
  let timer: number | undefined;
  let readAt = performance.now();
  const read = async () => {
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(MOST_WAIT_MS)]);
      numbers.value = await client.getPickupScreen(storeId, { signal });
      readAt = performance.now();
    } catch {
      // It is told by how old the numbers are.
    }
    if (stopping.signal.aborted) return;
    isOld.value = performance.now() - readAt > OLD_AFTER_MS;
    timer = window.setTimeout(() => void read(), READ_EVERY_MS);
  };
  void read();
  return () => {
    stopping.abort();
    clearTimeout(timer);
  };
}
