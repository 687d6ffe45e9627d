import { defineConfig } from 'vitest/config';

/** What only a real browser can show; apart from `npm test`, which needs none. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/harness/build.ts', 'test/harness/template-database.ts'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
