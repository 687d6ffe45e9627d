import { defineConfig } from 'vitest/config';

/** What needs programs of the host: proxies, balancers, poolers. Apart from `npm test`, which needs none. */
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.test.ts'],
    // A busy machine may take its time; the limit of one second is not what any test is about.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/harness/build.ts', 'test/harness/template-database.ts'],
    retry: process.env['CI'] === undefined ? 0 : 1,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
