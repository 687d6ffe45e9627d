import { errorCode, StartRefused } from '../domain/errors.js';

/** The error in words that help, when it is the operator who can put it right. */
export function explainFolderError(error: unknown, dataDir: string): unknown {
  if (error instanceof StartRefused) return error;
  const advice = folderAdvice(errorCode(error));
  if (advice === undefined) return error;
  const detail = error instanceof Error ? ` (${error.message})` : '';
  return new StartRefused(`The data folder ${dataDir} ${advice}${detail}`, { cause: error });
}

function folderAdvice(code: string | undefined): string | undefined {
  const user = process.getuid?.() ?? 0;
  switch (code ?? '') {
    case 'EACCES':
    case 'EPERM':
      return `may not be written by user ${user}: change its owner, or choose another with COMANDA_DATA_DIR.`;
    case 'EROFS':
      return 'is on a read-only disk: make it writable, or choose another with COMANDA_DATA_DIR.';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'is on a disk that is full: free some space, then start again.';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'cannot be made, because a file or a link to nowhere is in its place: choose another with COMANDA_DATA_DIR.';
    case 'EISDIR':
      return 'holds a folder where a file belongs: move that one away, then start again.';
    case 'ELOOP':
      return 'is or holds a link in a circle: mend it or move it away, then start again.';
    case 'ENOENT':
    case 'ENAMETOOLONG':
      return 'has a path that the system does not accept: choose another with COMANDA_DATA_DIR.';
    default:
      return undefined;
  }
}

const SHOWN_LINES = 12;

/** What PostgreSQL itself said, with what to do about it where that is known. */
export function explainServerFailure(what: string, output: string): StartRefused {
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES);
  const advice = serverAdvice(output);
  return new StartRefused(
    `The bundled PostgreSQL ${what}${advice ? `: ${advice}` : '.'} It said:\n  ${lines.join('\n  ')}`,
  );
}

function serverAdvice(output: string): string | undefined {
  if (/No space left on device|Disk quota exceeded/i.test(output)) {
    return 'the disk is full, free some space and start again.';
  }
  if (output.includes('could not look up effective user ID')) {
    return (
      'initialising it needs a user with a name, and /etc/passwd has none for this one; ' +
      'run the first start as a named user or as root, or set DATABASE_URL.'
    );
  }
  if (/could not (map anonymous|create|resize) shared memory|Cannot allocate memory/i.test(output)) {
    return 'there is not enough memory for it, give the machine more or lower shared_buffers in its postgresql.conf.';
  }
  if (
    /could not locate a valid checkpoint record|invalid checkpoint|incorrect checksum in control file/i.test(
      output,
    )
  ) {
    return 'its files are damaged, restore the data folder from a backup.';
  }
  return undefined;
}
