/** Lower bound of every size limit. */
export const LEAST_BYTES = 1024;

const MIB = 1024 * 1024;

export type LimitKind = 'count' | 'seconds' | 'bytes' | 'levels' | 'rate';

/** Every limit that an operator can set: its variable, what it is a number of, and its default. */
export const LIMITS = {
  /** Largest menu body, which is the largest of all bodies. */
  menuBytes: ['COMANDA_MAX_BODY_BYTES', 'bytes', 16 * MIB],
  /** Largest other JSON body. */
  jsonBytes: ['COMANDA_MAX_JSON_BYTES', 'bytes', MIB],
  jsonValues: ['COMANDA_MAX_JSON_VALUES', 'count', 100_000],
  jsonDepth: ['COMANDA_MAX_JSON_DEPTH', 'levels', 32],
  items: ['COMANDA_MAX_ITEMS', 'count', 10_000],
  modifierItems: ['COMANDA_MAX_MODIFIER_ITEMS', 'count', 10_000],
  modifierGroups: ['COMANDA_MAX_MODIFIER_GROUPS', 'count', 5_000],
  categories: ['COMANDA_MAX_CATEGORIES', 'count', 2_000],
  menus: ['COMANDA_MAX_MENUS', 'count', 200],
  treeBytes: ['COMANDA_MAX_TREE_BYTES', 'bytes', 128 * MIB],
  menuCacheBytes: ['COMANDA_MENU_CACHE_BYTES', 'bytes', 64 * MIB],
  /** How many versions of a store's menu are kept, including the current one, and their total size. */
  versionsKept: ['COMANDA_MENU_VERSIONS_KEPT', 'count', 1_000],
  versionBytesKept: ['COMANDA_MENU_VERSION_BYTES_KEPT', 'bytes', 256 * MIB],
  requestsPerSecond: ['COMANDA_RATE_LIMIT', 'rate', 200],
  requestBurst: ['COMANDA_RATE_BURST', 'count', 2_000],
  /** Off with the limit on requests. */
  menuPostsPerMinute: ['COMANDA_MENU_POSTS_PER_MINUTE', 'count', 60],
  headerBytes: ['COMANDA_MAX_HEADER_BYTES', 'bytes', 16 * 1024],
  requestSeconds: ['COMANDA_REQUEST_TIMEOUT_SECONDS', 'seconds', 30],
  importLineBytes: ['COMANDA_MAX_IMPORT_LINE_BYTES', 'bytes', MIB],
  importIdleSeconds: ['COMANDA_IMPORT_IDLE_SECONDS', 'seconds', 30],
} as const satisfies Readonly<Record<string, readonly [string, LimitKind, number]>>;

type Rate = 'requestsPerSecond' | 'menuPostsPerMinute';

export type Limits = Readonly<
  Record<Exclude<keyof typeof LIMITS, Rate>, number> & Record<Rate, number | 'off'>
>;
