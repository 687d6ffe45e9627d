import { defineConfig } from 'vitest/config';

/** What only a real browser can show; apart from `npm test`, which needs none. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    // A busy machine may take its time; the limit of one second is not what any test is about.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/harness/build.ts', 'test/harness/template-database.ts'],
    // On the gate a test that meets a busy moment of the machine is tried once more; it is named in the report.
    retry: process.env['CI'] === undefined ? 0 : 1,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
