/** No limit on a size may be set below this. */
export const LEAST_BYTES = 1024;

/** What one installation allows; src/config.ts reads each from the environment. */
export interface Limits {
  /** Of a menu, the largest body there is. */
  readonly bodyBytes: number;
  /** Of any other JSON body. */
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
  /** How many versions of a store's menu are kept, the current one with them, and how many bytes of them. */
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
