import { pino, type Logger } from 'pino';
import { Writable } from 'node:stream';
import { errorCode } from '../support/errors.js';

/** JSON lines, or plain text for people. Keys and phone numbers are never logged. */
export function createLog(level: string, isText: boolean, target?: Writable): Logger {
  const options = {
    level,
    serializers: { err: describeError },
    redact: { paths: ['*.headers["x-api-key"]', 'headers["x-api-key"]'], censor: '[hidden]' },
  };
  if (isText) return pino(options, plainLines(target ?? process.stdout));
  // Pino's own stream tries for ever to write to a terminal that is gone.
  const stream = target ?? (process.stdout.isTTY ? process.stdout : undefined);
  return stream === undefined ? pino(options) : pino(options, stream);
}

/** The only parts of an error that are logged: the details of a database error may quote customer data. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    stack,
    code: errorCode(error),
    cause: cause === undefined ? undefined : describeError(cause),
  };
}

interface Entry {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
}

function plainLines(target: NodeJS.WritableStream): Writable {
  return new Writable({
    write(line: Buffer, _encoding, done) {
      const entry = JSON.parse(line.toString()) as Entry;
      const time = new Date(entry.time).toISOString().slice(11, 19);
      const stack = entry.err?.stack === undefined ? '' : `\n${entry.err.stack}`;
      target.write(`${time}  ${levelName(entry.level)}${entry.msg ?? ''}${stack}\n`);
      done();
    },
  });
}

function levelName(level: number): string {
  const name = pino.levels.labels[level] ?? '';
  return name === 'info' ? '' : `${name}: `;
}
