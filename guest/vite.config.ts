import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/order/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/guest/page',
    emptyOutDir: true,
    target: ['chrome111', 'firefox119', 'safari16.4'],
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    // Where a build spends its time is of no interest to whoever installs.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
