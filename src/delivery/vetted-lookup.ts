import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { createSlots } from '../domain/slots.js';
import type { AddressPolicy } from '../domain/webhook/addresses.js';

/** Every address of a name, as texts; rejects where there is none. */
export type ResolveName = (hostname: string) => Promise<string[]>;

export class AddressNotAllowed extends Error {}
export class NameNotResolved extends Error {}

/**
 * Looks a name up for a connection. All its addresses must be allowed, and what is handed back is what was looked at:
 * whoever answers for the name has no second chance to give another address.
 */
export function createVettedLookup(resolve: ResolveName, policy: AddressPolicy): LookupFunction {
  const vet = async (hostname: string) => {
    const addresses = await resolve(hostname).catch((cause: unknown) => {
      throw new NameNotResolved(`${hostname} cannot be resolved`, { cause });
    });
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (found.length === 0) throw new NameNotResolved(`${hostname} has no address`);
    for (const { address } of found) {
      const refusal = policy.refusal(address);
      if (refusal !== undefined) throw new AddressNotAllowed(refusal);
    }
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
  const slots = createSlots({ size: SYSTEM_LOOKUPS });

  async function askSystem(hostname: string): Promise<string[]> {
    const giveBack = await slots.take({ waitMs: RESOLVE_MS });
    try {
      return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
    } finally {
      giveBack();
    }
  }

  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const silence = answers.find((answer) => answer.status === 'rejected' && isSilence(answer.reason));
    if (silence !== undefined) throw new Error('No name server answers');
    return askSystem(hostname);
  };
}

function isSilence(reason: unknown): boolean {
  return (reason as NodeJS.ErrnoException).code === 'ETIMEOUT';
}
