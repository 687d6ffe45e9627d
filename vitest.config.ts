import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import type { Reporter } from 'vitest/reporters';

// The client library is tested, and used by the command line under test, from its sources.
const conditions = ['comanda-source', 'module', 'node', 'development|production'];

const BUILD = 'test/harness/build.ts';
const DATABASE = 'test/harness/template-database.ts';
const PREPARED = 'test/harness/prepared-data.ts';
const CHROMIUM = 'test/browser/unpack-chromium.ts';

/** Folders whose tests start whole processes, make load, or need a browser or other programs. The rest are quick. */
const APART = {
  process: ['test/process', 'test/postgres/bundled', 'test/docs', 'test/packaging'],
  load: ['test/load'],
  browser: ['test/browser'],
  cluster: ['test/cluster'],
};

const testsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'));

const apart = Object.values(APART).flat();
const quick = testsIn('test').filter((path) => !apart.some((folder) => path.startsWith(`${folder}/`)));
const needsDatabase = (path: string) => /harness\/service\.js|inject\(/.test(readFileSync(path, 'utf8'));

function project(
  name: string,
  include: string[],
  test: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include,
      globalSetup: [BUILD, DATABASE],
      // No test measures time: on a busy machine everything takes longer.
      expect: { poll: { timeout: 30_000 } },
      testTimeout: 120_000,
      hookTimeout: 120_000,
      ...test,
    },
  };
}

/** Where failed tests are tried again (`--retry`), those that then pass are named. */
const unsteady: Reporter = {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky === true)
      console.log(`Passed at the second try: ${test.module.relativeModuleId} > ${test.fullName}`);
  },
};

/** Whatever the size of their files: begun last, these would be waited for alone. */
const LONG = ['docs/commands', 'packaging/dockerfile', 'process/merchant-moves', 'process/retention-killed'];
const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.includes(name));

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    // Tests wait for time to pass, for the database and for processes more than they work: two keep less than one core busy.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    reporters: ['default', unsteady],
    projects: [
      project(
        'unit',
        quick.filter((path) => !needsDatabase(path)),
        { globalSetup: [BUILD], isolate: false },
      ),
      project('service', quick.filter(needsDatabase), { isolate: false }),
      project('process', APART.process.flatMap(testsIn), { globalSetup: [BUILD, DATABASE, PREPARED] }),
      project('load', APART.load.flatMap(testsIn), { maxWorkers: 1 }),
      project('browser', APART.browser.flatMap(testsIn), {
        globalSetup: [BUILD, DATABASE, CHROMIUM],
        isolate: false,
        maxWorkers: 2,
        testTimeout: 240_000,
      }),
      project('cluster', APART.cluster.flatMap(testsIn), { maxWorkers: 1, testTimeout: 240_000 }),
    ],
  },
});
