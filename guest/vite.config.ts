import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

const PHRASES = `${import.meta.dirname}/src/phrases`;
const read = (name: string) =>
  JSON.parse(readFileSync(`${PHRASES}/${name}.json`, 'utf8')) as Readonly<Record<string, unknown>>;

/** Every language has the keys of English, in the same order: only its words are sent. */
const wordsOnly: Plugin = {
  name: 'words-only',
  enforce: 'pre',
  resolveId: (source) => {
    const name = /\/phrases\/(\w+)\.json$/.exec(source)?.[1];
    return name === undefined || name === 'en' ? undefined : `\0words-${name}`;
  },
  load: (id) => {
    if (!id.startsWith('\0words-')) return undefined;
    const words = read(id.slice('\0words-'.length));
    if (Object.keys(words).join() !== Object.keys(read('en')).join())
      throw new Error(`The phrases of ${id.slice(1)} are not those of English.`);
    return (
      `import english from ${JSON.stringify(`${PHRASES}/en.json`)};` +
      `const words = ${JSON.stringify(Object.values(words))};` +
      'export default Object.fromEntries(Object.keys(english).map((key, i) => [key, words[i]]));'
    );
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/order/',
  plugins: [wordsOnly],
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
