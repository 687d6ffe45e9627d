import { pino, type Logger } from 'pino';
import { Writable } from 'node:stream';

/** JSON lines for machines; in a terminal, plain lines for people. Keys and phone numbers never get in. */
export function createLog(level: string, isTerminal: boolean): Logger {
  const options = {
    level,
    redact: { paths: ['*.headers["x-api-key"]', 'headers["x-api-key"]'], censor: '[hidden]' },
  };
  return isTerminal ? pino(options, plainLines(process.stdout)) : pino(options);
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
