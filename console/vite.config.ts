import { defineConfig } from 'vite';

/** The client library is taken from its sources, so that only what the console uses of it is shipped. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  resolve: { conditions: ['comanda-source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    outDir: '../dist/console/page',
    emptyOutDir: true,
    target: ['chrome111', 'firefox119', 'safari16.4'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Where a build spends its time is of no interest to whoever installs.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
