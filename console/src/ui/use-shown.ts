import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The longest wait for something that would push the page down when it comes. */
const LONGEST_WAIT_MS = 3_000;

/** Whether to show what something above might push away: once that is there, or after a while. Then it stays shown. */
export function useShown(isThere: boolean, isAsked = true): boolean {
  const isShown = useSignal(false);
  useEffect(() => {
    if (!isAsked) return undefined;
    const timer = setTimeout(() => (isShown.value = true), isThere ? 0 : LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isAsked, isThere]);
  return isThere || isShown.value;
}
