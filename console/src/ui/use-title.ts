import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** How many things need someone at once; stands before every title. */
export const alarmCount = signal(0);

/** What the tab and the history call the page. */
export function useTitle(...parts: readonly string[]): void {
  const count = alarmCount.value;
  const title = `${count > 0 ? `(${count}) ` : ''}${parts.join(' · ')}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}
