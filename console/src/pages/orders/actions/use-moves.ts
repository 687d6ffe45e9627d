import { useEffect, useMemo } from 'preact/hooks';
import { createMoves, type Moves } from './moves.js';

/** Moves of a page: what is held back when it is left goes out at once, as nobody is there to take it back. */
export function useMoves(onMoved: (orderId: string) => Promise<void>, of: readonly unknown[]): Moves {
  const moves = useMemo(() => createMoves(onMoved), of);
  useEffect(() => {
    addEventListener('pagehide', moves.flush);
    return () => {
      removeEventListener('pagehide', moves.flush);
      moves.flush();
    };
  }, [moves]);
  return moves;
}
