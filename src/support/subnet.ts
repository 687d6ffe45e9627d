import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

export interface Subnet {
  readonly address: string;
  readonly prefix: number;
}

/** Reads `10.0.0.0/8`, `fd00::/8`, or an address alone. */
export function parseSubnet(text: string): Subnet | undefined {
  const [, address = '', prefixText] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || address.includes('%')) return undefined;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  return prefix <= bits ? { address, prefix } : undefined;
}

/** Reads such ranges with commas between them; undefined if one of them cannot be read. */
export function parseSubnets(text: string): Subnet[] | undefined {
  const given = text.split(',').map((range) => parseSubnet(range.trim()));
  const known = given.filter((range) => range !== undefined);
  return known.length === given.length ? known : undefined;
}

/** IPv4 ranges cover the mapped form of their addresses too; IPv6 ranges never cover an IPv4 address. */
export function coverOf(subnets: readonly Subnet[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { address, prefix } of subnets) {
    const family = familyOf(address);
    lists[family].addSubnet(address, prefix, family);
  }
  return (address) => {
    const family = familyOf(address);
    return lists.ipv4.check(address, family) || (family === 'ipv6' && lists.ipv6.check(address, family));
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Whether an address or bind host is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  if (isIPv4(host)) return host.startsWith('127.');
  return isIPv6(host) && /^::ffff:127\./i.test(host);
}
