import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { CliConfig } from './settings.js';

/** Where a command reads and writes. Tests pass their own streams. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether stdout is a terminal, which gets tables; otherwise plain tab-separated lines. */
  readonly isForPeople: boolean;
  /** Whether the user can be asked questions and shown progress. */
  readonly canAsk: boolean;
  readonly columns: number;
  readonly hasColour: boolean;
  readonly config: CliConfig;
}

export function openTerminal(config: CliConfig): Terminal {
  const { stdin, stdout, stderr } = process;
  const isForPeople = stdout.isTTY;
  return {
    stdin,
    stdout,
    stderr,
    isForPeople,
    canAsk: stdin.isTTY && stderr.isTTY,
    columns: stdout.columns > 0 ? stdout.columns : 80,
    hasColour: config.colour === 'always' || (config.colour !== 'never' && isForPeople),
    config,
  };
}

type Style = Parameters<typeof styleText>[0];

export function paint(terminal: Terminal, style: Style, text: string): string {
  return terminal.hasColour ? styleText(style, text) : text;
}

/** Resolves when the stream can take more, so that output for a slow reader does not pile up. */
export function writeInTime(stream: Writable, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

export function writeLine(stream: Writable, text: string): void {
  stream.write(`${text}\n`);
}
