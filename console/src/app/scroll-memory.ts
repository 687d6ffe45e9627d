/** A page that takes longer than this to become as long as it was is left where it is. */
const PATIENCE_MS = 10_000;
const SETTLE_MS = 100;

/**
 * Keeps in each entry of the history how far its page was scrolled, and goes there when one comes back to it: the browser's own way
 * does so before the lists are read again, when there is nothing to scroll yet.
 */
export function startScrollMemory(): void {
  history.scrollRestoration = 'manual';
  let settling: number | undefined;
  addEventListener('scroll', () => {
    clearTimeout(settling);
    settling = window.setTimeout(rememberScroll, SETTLE_MS);
  });
  addEventListener('popstate', () => scrollOnceLongEnough(rememberedScroll()));
  scrollOnceLongEnough(rememberedScroll());
}

export function rememberScroll(): void {
  history.replaceState({ scroll: scrollY }, '');
}

function rememberedScroll(): number {
  return (history.state as { scroll?: number } | null)?.scroll ?? 0;
}

function scrollOnceLongEnough(target: number): void {
  const ending = AbortSignal.timeout(PATIENCE_MS);
  const observer = new ResizeObserver(() => {
    scrollTo(0, target);
    if (document.documentElement.scrollHeight >= target + innerHeight) observer.disconnect();
  });
  observer.observe(document.body);
  // Whoever scrolls meanwhile wants to be elsewhere.
  const stop = () => observer.disconnect();
  for (const type of ['wheel', 'pointerdown', 'keydown'])
    addEventListener(type, stop, { once: true, signal: ending });
  ending.addEventListener('abort', stop);
}
