import { Readable, Writable } from 'node:stream';
import { loadCliConfig } from '../../src/cli/lib/settings.js';
import { run } from '../../src/cli/program.js';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Surroundings {
  readonly environment?: Record<string, string>;
  readonly stdin?: string | Buffer | AsyncIterable<Buffer>;
  /** A person sits there and types the standard input. */
  readonly canAsk?: boolean;
  /** A terminal of this width. Default: a pipe. */
  readonly columns?: number;
}

/** Runs one command line with streams of its own. */
export async function comanda(
  commandLine: readonly string[],
  { environment = {}, stdin = '', canAsk = false, columns }: Surroundings = {},
): Promise<Ran> {
  const stdout = collector();
  const stderr = collector();
  const config = loadCliConfig({ HOME: '/nonexistent', ...environment });
  const code = await run(commandLine, {
    stdin: Readable.from(typeof stdin === 'string' || Buffer.isBuffer(stdin) ? [Buffer.from(stdin)] : stdin),
    stdout: stdout.stream,
    stderr: stderr.stream,
    isForPeople: columns !== undefined,
    canAsk,
    columns: columns ?? 80,
    hasColour: config.colour === 'always',
    config,
  });
  return { code, out: stdout.text(), err: stderr.text() };
}

function collector(): { stream: Writable; text: () => string } {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString() };
}
