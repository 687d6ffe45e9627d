import { useComputed } from '@preact/signals';
import { t } from '../../text/t.js';
import { toClock } from '../../text/format.js';
import { Button } from '../../ui/button.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { now } from '../../ui/now.js';
import { POLL_MS, type LiveStore } from './live-store.js';

interface ConnectionProps {
  readonly live: LiveStore;
  readonly timezone: string;
}

/** Says when what the page shows may be old, since when, and what is being done about it. */
export function Connection({ live, timezone }: ConnectionProps) {
  const away = live.away.value;
  const seconds = useComputed(() =>
    Math.max(0, Math.ceil(((live.away.value?.nextTryAt ?? 0) - now.value) / 1000)),
  ).value;
  if (away !== undefined)
    return (
      <div class="notice away" role="status">
        <Icon name="warning" />
        <div>
          <strong>
            {t('the_service_cannot_be_reached_since_time', { time: toClock(away.since, timezone) })}
          </strong>{' '}
          {t('what_is_shown_may_be_old')}{' '}
          <span class="number">
            {seconds > 0 ? t('next_try_in_seconds_s', { seconds }) : t('trying_now')}
          </span>
        </div>
        <Button onClick={() => void live.reload()}>{t('try_now')}</Button>
      </div>
    );
  if (live.quietSince.value === undefined) return null;
  return (
    <Notice role="status">
      {t('not_live_since_time_looking_for', {
        time: toClock(live.quietSince.value, timezone),
        seconds: POLL_MS / 1000,
      })}
    </Notice>
  );
}

/** That what is shown is of now. Its room is kept while it is not, so that no button beside it moves. */
export function Live({ live }: { readonly live: LiveStore }) {
  return (
    <span class="live" data-on={live.isLive.value}>
      {t('live')}
    </span>
  );
}
