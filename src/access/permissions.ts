export const PERMISSIONS = [
  'read',
  'kitchen:read',
  'pickup:read',
  'menu:write',
  'stock:write',
  'orders:write',
  'webhooks:write',
  'store:write',
  'keys:write',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What a route asks for: a permission, an operator key, or no key at all. */
export type Requirement = Permission | 'operator' | 'guest';

/** Where a narrow permission is asked for, these do as well, the broadest first. */
const BROADER: Readonly<Partial<Record<Requirement, readonly Permission[]>>> = {
  'kitchen:read': ['read'],
  'pickup:read': ['read', 'kitchen:read'],
};

export function suffices(held: readonly Requirement[], asked: Requirement): boolean {
  return held.some((one) => one === asked || BROADER[asked]?.some((broader) => broader === one));
}

export function broadestFor(asked: Requirement): Requirement {
  return BROADER[asked]?.[0] ?? asked;
}
