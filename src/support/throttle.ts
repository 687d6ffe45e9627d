const SAY_AGAIN_MS = 60_000;

/** Calls `say` at most once a minute, and not before `firstAfterMs` have passed. */
export function throttle<Told>(say: (told: Told) => void, firstAfterMs = 0): (told: Told) => void {
  let from = performance.now() + firstAfterMs;
  return (told) => {
    if (performance.now() < from) return;
    from = performance.now() + SAY_AGAIN_MS;
    say(told);
  };
}
