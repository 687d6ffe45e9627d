import { useEffect } from 'preact/hooks';

/** What the tab and the history call the page. */
export function useTitle(...parts: readonly string[]): void {
  const title = parts.join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
