const NOTE_AFTER_MS = 200;

/** Writes times of last use a moment later and for all ids at once; a request never waits for it. */
export function createUseNotes(write: (ids: readonly string[]) => Promise<void>): (id: string) => void {
  const noted = new Set<string>();
  const writeAll = () => {
    const ids = [...noted];
    noted.clear();
    write(ids).catch(() => undefined); // The next use is news again.
  };
  return (id) => {
    if (noted.size === 0) setTimeout(writeAll, NOTE_AFTER_MS).unref();
    noted.add(id);
  };
}
