import { DatabaseMisfit, errorCode, StartRefused } from '../domain/errors.js';

/** The error in words that help, when it is the address of the database that has to be changed. */
export function explainAddressError(error: unknown): unknown {
  if (error instanceof DatabaseMisfit) return new StartRefused(error.remedy, { cause: error });
  if (!(error instanceof Error) || error instanceof StartRefused) return error;
  const advice = addressAdvice(errorCode(error) ?? error.message);
  return advice === undefined
    ? error
    : new StartRefused(`DATABASE_URL does not work: ${error.message}. ${advice}`, { cause: error });
}

function addressAdvice(fault: string): string | undefined {
  switch (fault) {
    case '28P01':
      return 'Set the right user and password in it.';
    case '28000':
      return 'Set a user in it that the server lets in from this machine.';
    case '3D000':
      return 'Create that database, or set the name of another in it.';
    case '42501':
      return 'Let its user create tables in that database, or set another user in it.';
    case 'The server does not support SSL connections':
      return 'Turn TLS on at the server, or leave sslmode out of it.';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'Name the authority that signed the certificate of the server in it: sslrootcert=<file>.';
    case 'CERT_HAS_EXPIRED':
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'Give the server a certificate that is valid for the host in it.';
    default:
      return undefined;
  }
}
