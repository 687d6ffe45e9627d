/** Does the work again and again, each time so long after the last has ended, until what it returns is called. */
export function repeatEvery(
  ms: number,
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const begin = () => {
    if (hasEnded) return;
    timer = setTimeout(() => void work().catch(onFailure).finally(begin), ms).unref();
  };
  begin();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}
