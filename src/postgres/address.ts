/** The address of a database: one server, or several of which one accepts writes at a time. */
export interface DatabaseAddress {
  /** An address for each server, in the order in which they are tried. */
  readonly servers: readonly string[];
  /** Whether servers that accept no writes are skipped. */
  readonly mustWrite: boolean;
  /** Hosts, ports and database, without user and password. */
  readonly place: string;
}

const ADDRESS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^@/?#]*)(\/[^@?#]*)?(?:\?([^#]*))?$/i;
/** The libpq values that make sense for a service that writes. */
const WRITING = ['read-write', 'primary'];

/** Parses an address as libpq does, including several hosts: `postgres://a,b:5433/db?target_session_attrs=read-write`. */
export function parseDatabaseAddress(text: string): DatabaseAddress | undefined {
  const [, scheme, credentials = '', authority = '', path = '', query = ''] = ADDRESS.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  const wanted = takeOut(parameters, 'target_session_attrs') ?? 'any';
  if (wanted !== 'any' && !WRITING.includes(wanted)) return undefined;

  const named = takeOut(parameters, 'host')?.split(',');
  const ports = takeOut(parameters, 'port')?.split(',');
  const hosts = named ?? authority.split(',');
  if (ports !== undefined && ports.length !== 1 && ports.length !== hosts.length) return undefined;
  if (hosts.length > 1 && hosts.includes('')) return undefined;

  const [, authorityPort] = /:(\d*)$/.exec(authority) ?? [];
  const servers = hosts.map((host, i) => {
    const own = new URLSearchParams(parameters);
    const port = ports?.[i] ?? ports?.[0];
    if (port !== undefined) own.set('port', port);
    if (named === undefined) return join(`${scheme}${credentials}${host}${path}`, own);
    own.set('host', host);
    const rest = authorityPort === undefined ? '' : `:${authorityPort}`;
    return join(`${scheme}${credentials}localhost${rest}${path}`, own);
  });
  if (!servers.every((server) => URL.canParse(server))) return undefined;
  return { servers, mustWrite: wanted !== 'any', place: `${hosts.join(',')}${path}` };
}

function takeOut(parameters: URLSearchParams, name: string): string | undefined {
  const value = parameters.get(name) ?? undefined;
  parameters.delete(name);
  return value;
}

function join(address: string, parameters: URLSearchParams): string {
  return parameters.size === 0 ? address : `${address}?${parameters.toString()}`;
}
