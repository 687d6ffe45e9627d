import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  TimeoutError,
  TooManyRequestsError,
  UnavailableError,
  ValidationError,
} from '#sdk';

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

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailed) return error.exitCode;
  if (error instanceof AuthenticationError || error instanceof PermissionError) return EXIT.denied;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (error instanceof ValidationError) return EXIT.refused;
  if (error instanceof ConflictError || error instanceof PreconditionFailedError) return EXIT.conflict;
  if (error instanceof ConnectionError || error instanceof TimeoutError) return EXIT.unreachable;
  if (error instanceof UnavailableError || error instanceof TooManyRequestsError) return EXIT.unreachable;
  if (error instanceof ApiError && error.status < 500) return EXIT.refused;
  return EXIT.failed;
}
