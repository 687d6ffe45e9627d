/** Lower bound of every size limit. */
export const LEAST_BYTES = 1024;

const MIB = 1024 * 1024;

/** Defaults; src/config.ts reads others from the environment. */
export const DEFAULT_LIMITS = {
  /** Largest menu body, which is the largest of all bodies. */
  menuBytes: 16 * MIB,
  /** Largest other JSON body. */
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
  /** How many versions of a store's menu are kept, including the current one, and their total size. */
  versionsKept: 1_000,
  versionBytesKept: 256 * MIB,
  requestsPerSecond: 200,
  requestBurst: 2_000,
  menuPostsPerMinute: 60,
  headerBytes: 16 * 1024,
  requestSeconds: 30,
  importLineBytes: MIB,
  importIdleSeconds: 30,
};

type Rate = 'requestsPerSecond' | 'menuPostsPerMinute';

/** The limits of one installation. */
export type Limits = Readonly<Omit<typeof DEFAULT_LIMITS, Rate> & Record<Rate, number | 'off'>>;
