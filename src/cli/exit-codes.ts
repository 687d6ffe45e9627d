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

/** What scripts may rely on; docs/cli.md repeats them. */
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

/** A command ends here; the message tells the user what to do. */
export class CommandFailed extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    /** What `--json` shows of it. */
    readonly detail?: unknown,
    /** What follows the message for people, ready to be shown. */
    readonly lines: readonly string[] = [],
  ) {
    super(message);
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
