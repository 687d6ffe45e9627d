const SAY_AGAIN_MS = 60_000;

/** Says what it is given, then nothing for a minute; the first time only once `firstAfterMs` have passed. */
export function notTooOften<Told>(say: (told: Told) => void, firstAfterMs = 0): (told: Told) => void {
  let from = performance.now() + firstAfterMs;
  return (told) => {
    if (performance.now() < from) return;
    from = performance.now() + SAY_AGAIN_MS;
    say(told);
  };
}
