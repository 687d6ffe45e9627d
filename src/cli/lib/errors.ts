import { ApiError, ConnectionError, TimeoutError } from '#sdk';

/** Exit codes that scripts may rely on. Keep docs/cli.md in step. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  denied: 4,
  notFound: 5,
  refused: 6,
  conflict: 7,
  differs: 8,
  declined: 9,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command. The message tells the user what to do. */
export class CommandFailed extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    /** Printed with `--json`. */
    readonly detail?: unknown,
    /** Lines printed after the message. */
    readonly lines: readonly string[] = [],
  ) {
    super(message);
  }
}

/** What was typed cannot be done as it stands. */
export class UsageError extends CommandFailed {
  constructor(message: string) {
    super(EXIT.usage, message);
  }
}

const EXIT_OF_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.denied,
  403: EXIT.denied,
  404: EXIT.notFound,
  409: EXIT.conflict,
  412: EXIT.conflict,
  429: EXIT.unreachable,
  503: EXIT.unreachable,
};

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailed) return error.exitCode;
  if (error instanceof ConnectionError || error instanceof TimeoutError) return EXIT.unreachable;
  if (!(error instanceof ApiError)) return EXIT.failed;
  return EXIT_OF_STATUS[error.status] ?? (error.status < 500 ? EXIT.refused : EXIT.failed);
}
