import { useComputed } from '@preact/signals';
import { t } from '../../text/t.js';
import { toDuration } from '../../text/format.js';
import { Icon } from '../../ui/icon.js';
import { now } from '../../ui/now.js';

export type Urgency = 'on time' | 'soon' | 'late';

const SOON_MS = 5 * 60_000;

export function urgencyOf(readyBy: string, at: number): Urgency {
  const left = Date.parse(readyBy) - at;
  if (left < 0) return 'late';
  return left <= SOON_MS ? 'soon' : 'on time';
}

/** How an order stands against the time it was promised for: in words, by shape and by colour. */
export function Timing({ readyBy }: { readonly readyBy: string }) {
  const urgency = useComputed(() => urgencyOf(readyBy, now.value)).value;
  const left = useComputed(() => toDuration(Math.abs(Date.parse(readyBy) - now.value))).value;
  const { tone, icon, phrase } = LOOKS[urgency];
  return (
    <span class={`badge ${tone}`.trim()}>
      <Icon name={icon} />
      {t(phrase, { duration: left })}
    </span>
  );
}

const LOOKS = {
  late: { tone: 'bad', icon: 'late', phrase: 'late_duration' },
  soon: { tone: 'kitchen', icon: 'warning', phrase: 'soon_duration' },
  'on time': { tone: '', icon: 'clock', phrase: 'in_duration' },
} as const;
