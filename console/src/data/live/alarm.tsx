import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { locale, t } from '../../text/t.js';
import { Button } from '../../ui/button.js';
import { Icon } from '../../ui/icon.js';
import { alarmCount } from '../../ui/use-title.js';
import { place, toHref } from '../../app/router.js';
import alarmIcon from './alarm-icon.svg';
import { isSoundOn, ring, startRinging, unlockSound } from './chime.js';
import type { LiveStore } from './live-store.js';
import './live.css';

interface AlarmProps {
  readonly storeId: string;
  readonly live: LiveStore;
}

/** On every page of a store: orders that wait to be accepted or need someone, in a bar, the title, the tab's icon and by sound. */
export function Alarm({ storeId, live }: AlarmProps) {
  const unaccepted = live.unaccepted.value;
  const late = live.late.value;
  const reasons = live.reasons.value;
  const beginning = [...reasons.values()].filter((why) => why.includes('begin')).length;
  const outside = [...reasons.values()].filter((why) => why.includes('not_in_pos')).length;
  const count = new Set([...unaccepted.map(({ id }) => id), ...reasons.keys()]).size;
  const isRinging = useComputed(() => live.unseen.value.length > 0 && isSoundOn.value).value;
  useEffect(() => (isRinging ? startRinging() : undefined), [isRinging]);
  useRingOnce(live);
  useEffect(() => {
    alarmCount.value = count;
    setTabIcon(count > 0);
  }, [count]);
  useEffect(() => {
    // The first tap anywhere lets the browser play sounds again after the page was loaded anew.
    const unlock = () => void unlockSound();
    addEventListener('pointerdown', unlock);
    return () => {
      removeEventListener('pointerdown', unlock);
      alarmCount.value = 0;
      setTabIcon(false);
    };
  }, []);
  if (count === 0) return null;
  const board = `/stores/${storeId}/board`;
  return (
    <div class={reasons.size > 0 ? 'notice alarm bad' : 'notice alarm calm'}>
      <Icon name={reasons.size > 0 ? 'late' : 'sound'} />
      <div>
        <strong>
          {new Intl.ListFormat(locale(), { type: 'unit' }).format([
            ...(unaccepted.length > 0
              ? [
                  t('count_orders_wait_to_be_accepted', {
                    count: unaccepted.length,
                  }),
                ]
              : []),
            ...(late.length > 0 ? [t('count_orders_are_late', { count: late.length })] : []),
            ...(beginning > 0 ? [t('count_orders_are_to_be_begun', { count: beginning })] : []),
            ...(outside > 0 ? [t('count_orders_are_not_in_the_pos', { count: outside })] : []),
          ])}
        </strong>
      </div>
      {live.unseen.value.length > 0 && (
        <Button onClick={() => live.see(live.unseen.value)}>
          {isRinging ? t('silence_button') : t('seen')}
        </Button>
      )}
      {place.value.path !== board && (
        <a class="button" href={toHref(board)}>
          {t('to_the_board')}
        </a>
      )}
    </div>
  );
}

/** An order for another day is told of, and does not ring on: nobody needs to run for it. */
function useRingOnce(live: LiveStore): void {
  const told = useRef(new Set<string>());
  const unread = live.later.value.filter(({ status, is_read: isRead }) => status === 'PENDING' && !isRead);
  const fresh = unread.filter(({ id }) => !told.current.has(id));
  useEffect(() => {
    if (fresh.length === 0) return;
    for (const { id } of fresh) told.current.add(id);
    ring();
  }, [fresh.map(({ id }) => id).join()]);
}

function setTabIcon(isAlarm: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  link?.setAttribute('href', isAlarm ? alarmIcon : '/console/icon.svg');
}
