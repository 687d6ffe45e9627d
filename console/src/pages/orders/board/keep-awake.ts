/** Keeps the screen on while the page shows, where the browser allows it; returns what ends it. */
export function keepAwake(): () => void {
  // Typed as always there, but browsers leave it out of pages that are not secure.
  const wakeLock = (navigator as { wakeLock?: WakeLock }).wakeLock;
  let held: WakeLockSentinel | undefined;
  let isOver = false;
  const take = async () => {
    if (wakeLock === undefined || document.visibilityState !== 'visible') return;
    held = await wakeLock.request('screen').catch(() => undefined);
    if (isOver) await held?.release();
  };
  // The browser takes it away when the page is hidden.
  const again = () => void take();
  document.addEventListener('visibilitychange', again);
  again();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', again);
    void held?.release();
  };
}
