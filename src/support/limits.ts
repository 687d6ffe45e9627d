/** Lower bound of every size limit. */
export const LEAST_BYTES = 1024;

/** The limits of one installation. */
export interface Limits {
  /** Largest menu body, which is the largest of all bodies. */
  readonly menuBytes: number;
  /** Largest other JSON body. */
  readonly jsonBytes: number;
  readonly jsonValues: number;
  readonly jsonDepth: number;
  readonly items: number;
  readonly modifierItems: number;
  readonly modifierGroups: number;
  readonly categories: number;
  readonly menus: number;
  readonly treeBytes: number;
  readonly menuCacheBytes: number;
  /** How many versions of a store's menu are kept, including the current one, and their total size. */
  readonly versionsKept: number;
  readonly versionBytesKept: number;
  readonly requestsPerSecond: number | 'off';
  readonly requestBurst: number;
  readonly menuPostsPerMinute: number | 'off';
  readonly headerBytes: number;
  readonly requestSeconds: number;
  readonly importLineBytes: number;
  readonly importIdleSeconds: number;
}

const MIB = 1024 * 1024;

/** Defaults; src/config.ts reads marks from the environment. */
export const DEFAULT_LIMITS = {
  menuBytes: 16 * MIB,
  jsonBytes: MIB,
  jsonValues: 100_000,
  jsonDepth: 32,
  items: 10_000,
  modifierItems: 10_000,
  modifierGroups: 5_000,
  categories: 2_000,
  menus: 200,
  treeBytes: 128 * MIB,
  menuCacheBytes: 64 * MIB,
  versionsKept: 1_000,
  versionBytesKept: 256 * MIB,
  requestsPerSecond: 200,
  requestBurst: 2_000,
  menuPostsPerMinute: 60,
  headerBytes: 16 * 1024,
  requestSeconds: 30,
  importLineBytes: MIB,
  importIdleSeconds: 30,
} satisfies Limits;
