import type { FastifyInstance } from 'fastify';
import { readKeyHeader, type Authenticate, type Visits } from './authentication.js';
import { answerBeforeFramework } from './before-framework.js';
import { answerBeforeParser } from './before-parser.js';
import { createExpressAnswers, type ExpressChecks } from './express-answers.js';
import type { Operation } from './route.js';

/**
 * Answers what is ready in memory without the framework, whose routing, hooks and reply take longer than all our part of it,
 * and, on connections that bring nothing else, without Node's parser and streams too.
 * Returns the authentication that the framework's operations are to use.
 */
export function openExpressLane(
  app: FastifyInstance,
  operations: readonly Operation[],
  checks: ExpressChecks,
): Authenticate {
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  const isReady = () => !isClosing && checks.isReady();
  const take = createExpressAnswers(operations, { ...checks, isReady });
  const visits: Visits = new WeakMap();
  answerBeforeParser(app.server, take, visits);
  answerBeforeFramework(app.server, take, visits);
  return async (request, storeId) => visits.get(request) ?? checks.checkKey(readKeyHeader(request), storeId);
}
