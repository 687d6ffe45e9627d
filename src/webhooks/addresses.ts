import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { errorCode } from '../support/errors.js';
import { createFairSemaphore } from '../support/fair-semaphore.js';
import { coverOf, parseSubnet, type Subnet } from '../support/subnet.js';

/** Decides which addresses a webhook may be sent to; what is not known to be public is refused. */
export interface AddressPolicy {
  /** Why nothing may be sent to this address, in words that tell how to allow it; undefined where it may. */
  refusal(address: string): string | undefined;
}

/** Each kind of address that is not public, and where it is. */
const RANGES: readonly (readonly [kind: string, ...subnets: string[]])[] = [
  ['an unspecified', '0.0.0.0/8', '::/128'],
  ['a private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  ['a shared (carrier-grade NAT)', '100.64.0.0/10'],
  ['a loopback', '127.0.0.0/8', '::1/128'],
  ['a link-local', '169.254.0.0/16', 'fe80::/10'],
  ['a multicast', '224.0.0.0/4', 'ff00::/8'],
  ['a translated', '192.88.99.0/24', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'],
  ['a mapped', '::ffff:0:0/96', '::ffff:0:0:0/96', '::/96'],
  ['a documentation', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  ['a reserved', '192.0.0.0/24', '198.18.0.0/15', '240.0.0.0/4', '2001::/23'],
];

/** All other IPv6 addresses are not given to anyone yet. */
const GIVEN_IPV6 = '2000::/3';

/**
 * Link-local addresses and those under which clouds hand out credentials, in every form that reaches them. No
 * setting opens these.
 */
const NEVER = [
  '169.254.0.0/16',
  'fe80::/10',
  '64:ff9b::a9fe:0/112',
  '64:ff9b:1::a9fe:0/112',
  '2002:a9fe::/32',
  '::ffff:0:a9fe:0/112',
  '::a9fe:0/112',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
];

/** `allowed` is opened although it is not public. */
export function createAddressPolicy(allowed: readonly Subnet[]): AddressPolicy {
  const kinds = RANGES.map(([kind, ...subnets]) => ({ kind, covers: coverOf(subnets.map(requireSubnet)) }));
  const isGiven = coverOf([requireSubnet(GIVEN_IPV6)]);
  const isNever = coverOf(NEVER.map(requireSubnet));
  const isAllowed = coverOf(allowed);

  function kindOf(address: string): string | undefined {
    const known = kinds.find(({ covers }) => covers(address));
    if (known !== undefined) return known.kind;
    return isIP(address) === 4 || isGiven(address) ? undefined : 'a reserved';
  }

  return {
    refusal(given) {
      const address = given.replace(/%.*$/, '');
      if (isIP(address) === 0) return `${given} is not an address`;
      if (isNever(address)) return `${address} is a link-local or metadata address, which is never allowed`;
      const kind = kindOf(address);
      if (kind === undefined || isAllowed(address)) return undefined;
      return `${address} is ${kind} address; the operator can allow it with COMANDA_WEBHOOK_ALLOW`;
    },
  };
}

function requireSubnet(text: string): Subnet {
  const subnet = parseSubnet(text);
  if (subnet === undefined) throw new Error(`${text} is not an address range`);
  return subnet;
}

const LONGEST_URL = 2_048;

/** What is wrong with the address of an endpoint, as far as it can be known without asking anyone; undefined if nothing. */
export function urlError(text: string, policy: AddressPolicy): string | undefined {
  if (text.length > LONGEST_URL) return `the URL should have at most ${LONGEST_URL} characters`;
  if (!URL.canParse(text)) return 'not a URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'only http and https URLs are allowed';
  if (url.username !== '' || url.password !== '') return 'a URL with a user name or password is not allowed';
  if (url.port === '0') return 'port 0 is not allowed';
  return literalAddresses(url)
    .map((address) => policy.refusal(address))
    .find((reason) => reason !== undefined);
}

/**
 * The addresses that a URL names without a look-up. The URL parser has turned every spelling (decimal, octal,
 * hexadecimal, full-width digits) into the usual one by now.
 */
export function literalAddresses({ hostname }: URL): string[] {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return [address];
  return /^(.+\.)?localhost\.?$/.test(hostname) ? ['127.0.0.1'] : [];
}

/** Every address of a name, as texts; rejects where there is none. */
export type ResolveName = (hostname: string) => Promise<string[]>;

export class AddressNotAllowed extends Error {}
export class NameNotResolved extends Error {}

export function requireAllowed(addresses: readonly string[], policy: AddressPolicy): void {
  for (const address of addresses) {
    const refusal = policy.refusal(address);
    if (refusal !== undefined) throw new AddressNotAllowed(refusal);
  }
}

/**
 * Looks a name up for a connection. All its addresses must be allowed. The connection uses the checked addresses, so a second
 * lookup cannot return another one.
 */
export function createVettedLookup(resolve: ResolveName, policy: AddressPolicy): LookupFunction {
  const vet = async (hostname: string) => {
    const addresses = await resolve(hostname).catch((cause: unknown) => {
      throw new NameNotResolved(`${hostname} cannot be resolved`, { cause });
    });
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (found.length === 0) throw new NameNotResolved(`${hostname} has no address`);
    requireAllowed(addresses, policy);
    return found;
  };
  return (hostname, options, callback) => {
    vet(hostname).then(
      (found) => {
        const [first = { address: '', family: 0 }] = found;
        if (options.all === true) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as Error, []),
    );
  };
}

const RESOLVE_MS = 2_000;
/** The system's look-up takes a thread of four that the whole process shares, and holds it as long as it likes. */
const SYSTEM_LOOKUPS = 2;

/** Asks the name servers without taking a thread; names that only the system knows (its hosts file, search domains) come second. */
export function createNameResolver(): ResolveName {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 1 });
  const permits = createFairSemaphore({ size: SYSTEM_LOOKUPS });

  async function askSystem(hostname: string): Promise<string[]> {
    const release = await permits.acquire({ waitMs: RESOLVE_MS });
    try {
      return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
    } finally {
      release();
    }
  }

  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const isSilent = answers.some(
      (answer) => answer.status === 'rejected' && errorCode(answer.reason) === 'ETIMEOUT',
    );
    if (isSilent) throw new Error('No name server answers');
    return askSystem(hostname);
  };
}
