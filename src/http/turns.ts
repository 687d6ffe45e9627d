import type { IncomingMessage, Server } from 'node:http';
import { createSlots, type GiveBack } from '../domain/slots.js';

/** When which request may take the event loop's time: so much in a turn, and merchants in turn. */
export interface Turns {
  /** Begins a request, now or some turns later. */
  begin(request: IncomingMessage, begin: () => void): void;
  /** For a whole answer; undefined where it may go now. */
  takeForAnswer(owner: string | undefined): Promise<void> | undefined;
  /** For a chunk of an answer, to be given back once others have had their turn. */
  takeForChunk(owner: string | undefined): Promise<GiveBack>;
}

/** Of all answers that are made while they are sent: about a millisecond's work. */
const CHUNKS_A_TURN = 2;

/** Node accepts one connection in a turn: while some arrive, turns are kept short, so that those behind them are let in soon. */
const ANSWERS_WHILE_ACCEPTING = 2;
const TURNS_A_BEGINNING_WHILE_ACCEPTING = 4;
const TURNS_A_CHUNK_WHILE_ACCEPTING = 8;

export function createTurns(server: Server): Turns {
  const isAccepting = watchAccepting(server);
  const beginnings = createSlots({ size: 1 });
  const answers = createSlots({ size: ANSWERS_WHILE_ACCEPTING });
  const chunks = createSlots({ size: CHUNKS_A_TURN });
  return {
    begin({ headers }, begin) {
      if (!isAccepting()) return begin();
      // Whose key it is, and whether it is one, is not known before the request has begun.
      void beginnings.take({ owner: String(headers['x-api-key']) }).then((giveBack) => {
        afterTurns(isAccepting() ? TURNS_A_BEGINNING_WHILE_ACCEPTING : 1, giveBack);
        begin();
      });
    },
    takeForAnswer(owner) {
      if (!isAccepting()) return undefined;
      return answers.take({ owner }).then((giveBack) => afterTurns(1, giveBack));
    },
    async takeForChunk(owner) {
      const giveBack = await chunks.take({ owner });
      return () => afterTurns(isAccepting() ? TURNS_A_CHUNK_WHILE_ACCEPTING : 0, giveBack);
    },
  };
}

/** Tells whether a connection was accepted in this turn or the one before, so that more are probably waiting. */
function watchAccepting(server: Server): () => boolean {
  let turnsLeft = 0;
  const onTurn = () => {
    turnsLeft -= 1;
    if (turnsLeft > 0) setImmediate(onTurn);
  };
  server.on('connection', () => {
    if (turnsLeft === 0) setImmediate(onTurn);
    turnsLeft = 2;
  });
  return () => turnsLeft > 0;
}

function afterTurns(turns: number, giveBack: GiveBack): void {
  if (turns === 0) giveBack();
  else setImmediate(afterTurns, turns - 1, giveBack);
}
