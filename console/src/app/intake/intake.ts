import { useEffect } from 'preact/hooks';
import type { Intake, IntakePatch } from '#sdk';
import { client } from '../../data/session.js';
import { t } from '../../text/t.js';
import { useChanges, type LiveStore } from '../../data/live/live-store.js';
import { useLoad, type Loaded } from '../../ui/loading.js';
import { toClock, toDateTime, toDuration } from '../../text/format.js';
import { toWall } from '../../../../src/calendar/wall-clock.js';

/** What the kitchen promises moves with the clock and with every order. */
const READ_AGAIN_MS = 60_000;

export interface LiveIntake {
  /** Undefined if it could not be read. */
  readonly intake: Intake | undefined;
  /** Whether it has been read once, or cannot be. */
  readonly isAsked: boolean;
  readonly change: (patch: IntakePatch) => Promise<void>;
}

/** Whether a store that is known to exist takes orders, as it is now: also after a change on another device. */
export function useIntake(storeId: string, live: LiveStore, isFound: boolean): LiveIntake {
  const loaded: Loaded<Intake | undefined> = useLoad(
    async (signal) => {
      if (!isFound) return undefined;
      const answer = await client.getIntake(storeId, { signal });
      live.prepMinutes.value = answer.settings.prep_minutes;
      // What was asked before a change may be answered after it.
      const present = loaded.value.peek();
      return answer.revision < (present?.revision ?? 0) ? present : answer;
    },
    [storeId, isFound],
  );
  const { reload: read } = loaded;
  const intake = loaded.value.value;
  useEffect(() => {
    const timer = setInterval(read, READ_AGAIN_MS);
    return () => clearInterval(timer);
  }, [read]);
  const until = intake?.until;
  useEffect(() => {
    const left = until === undefined ? Infinity : Date.parse(until) - Date.now();
    if (left > READ_AGAIN_MS) return undefined;
    const timer = setTimeout(read, Math.max(left, 0) + 500);
    return () => clearTimeout(timer);
  }, [intake]);
  useChanges(live, read, (data) => 'state' in data);
  return {
    intake,
    // A page without it works on; whether the service answers at all is told by the connection.
    isAsked: intake !== undefined || loaded.error.value !== undefined,
    change: async (patch) => loaded.set(await client.changeIntake(storeId, patch)),
  };
}

/** `Open, ready in 25 min`, `Paused until 18:30`. */
export function describeIntake(intake: Intake, timezone: string, at: number): string {
  const { state, until, ready_in_minutes: minutes } = intake;
  const time = until === undefined ? undefined : toSoon(until, timezone, at);
  const length = minutes === undefined ? undefined : toDuration(minutes * 60_000);
  switch (state) {
    case 'paused':
      return time === undefined ? t('paused') : t('paused_until_time', { time });
    case 'closed':
      return time === undefined ? t('closed') : t('closed_until_time', { time });
    case 'busy':
      return length === undefined ? t('busy') : t('busy_ready_in_length', { length });
    case 'open':
      if (intake.reason === 'full')
        return length === undefined ? t('full') : t('full_ready_in_length', { length });
      return length === undefined ? t('open_state') : t('open_ready_in_length', { length });
  }
}

/** The clock alone where it is today. */
export function toSoon(moment: string | number, timezone: string, at: number): string {
  const dayOf = (time: string | number) => toWall(new Date(time).getTime(), timezone).slice(0, 10);
  return dayOf(moment) === dayOf(at) ? toClock(moment, timezone) : toDateTime(moment, timezone);
}
