import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Visitor, Visits } from './authentication.js';
import type { TakeExpress } from './express-answers.js';

/** Offers each request to the express lane before the framework sees it. */
export function answerBeforeFramework(server: Server, take: TakeExpress, visits: Visits): void {
  const [framework] = server.listeners('request') as [RequestListener];
  server.removeListener('request', framework);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const goOn = (visit: Promise<Visitor>) => {
      visits.set(request, visit);
      framework(request, response);
    };
    const visit = visits.get(request.socket);
    if (visit !== undefined) {
      // Before the parser the lane has taken this very request, and found nothing to answer it with.
      visits.delete(request.socket);
      return goOn(visit);
    }
    const isTaken =
      request.method === 'GET' &&
      request.httpVersion === '1.1' &&
      take(request, {
        answer: ({ status, headers, body }, noteSent) => {
          response.writeHead(status, headers as string[]);
          if (body !== undefined) return void response.end(body, noteSent);
          response.end();
          noteSent();
        },
        goOn,
      });
    if (!isTaken) framework(request, response);
  });
}
