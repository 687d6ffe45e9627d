import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Visits } from './authentication.js';
import type { ExpressOutcome, TakeExpress } from './express-answers.js';
import { createHttpDate } from './http-date.js';
import { readPlainRequest } from './plain-request.js';
import { writeAnswer } from './write-answer.js';

/** A new connection that brings nothing for this long goes to Node, which has the clocks and the words for such. */
const SILENCE_MS = 1_000;
/** Beyond the time that answers promise, so that nobody writes to a connection that is just being closed. */
const GRACE_MS = 1_000;

/**
 * Offers the requests of each connection to the express lane before Node's parser sees them, up to the first that is not
 * answered there. From then on the connection is Node's.
 */
export function answerBeforeParser(server: Server, take: TakeExpress, visits: Visits): void {
  const [parse] = server.listeners('connection') as [(this: Server, socket: Socket) => void];
  server.removeListener('connection', parse);
  const httpDate = createHttpDate();

  server.on('connection', (socket: Socket) => {
    let state: 'new' | 'asking' | 'resting' = 'new';
    let askedBytes = 0;

    const offer = (bytes: Buffer) => {
      // The bytes below, on their way out.
      if (state === 'asking') return;
      // Until they are answered they stay in the socket, where Node's parser finds them if it comes to that.
      socket.pause();
      socket.unshift(bytes);
      askedBytes = bytes.length;
      const request = readPlainRequest(bytes);
      if (request !== undefined && take(request, outcome)) state = 'asking';
      else handOver();
    };
    const outcome: ExpressOutcome = {
      answer: (ready, noteSent) => {
        if (socket.destroyed) return;
        socket.read(askedBytes);
        state = 'resting';
        const { keepAliveTimeout: keepAliveMs } = server;
        if (socket.timeout === SILENCE_MS) socket.setTimeout(keepAliveMs + GRACE_MS);
        writeAnswer(socket, ready, { date: httpDate(), keepAliveMs }, noteSent);
        if (socket.readableLength > 0) handOver();
        else if (socket.writableNeedDrain) socket.once('drain', () => socket.resume());
        else socket.resume();
      },
      goOn: (visit) => {
        visits.set(socket, visit);
        handOver();
      },
    };
    const finish = () => socket.end();
    const ignore = () => undefined;
    const giveUp = () => {
      if (state === 'new') handOver();
      else if (state === 'resting') socket.destroy();
    };
    const handOver = () => {
      if (socket.destroyed) return;
      socket.off('data', offer).off('end', finish).off('error', ignore).off('timeout', giveUp).setTimeout(0);
      parse.call(server, socket);
      socket.resume();
    };

    socket.on('data', offer).on('end', finish).on('error', ignore).on('timeout', giveUp);
    socket.setTimeout(SILENCE_MS);
  });
}
