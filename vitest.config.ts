import { defineConfig } from 'vitest/config';

// The client library is tested, and used by the command line under test, from its sources.
const conditions = ['comanda-source', 'module', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/cluster/**', 'node_modules/**'],
    // A busy machine may take its time; the limit of one second is not what any test is about.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/harness/build.ts', 'test/harness/template-database.ts'],
    // On the gate a test that meets a busy moment of the machine is tried once more; it is named in the report.
    retry: process.env['CI'] === undefined ? 0 : 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
