// Holds every import in src and console against the table of rooms; a run that saw no module is a failure, not a pass.
import { builtinModules } from 'node:module';
import { cruise } from 'dependency-cruiser';

const rooms = {
  domain: [],
  db: ['domain'],
  embedded: ['domain'],
  'menu-rendering': ['domain', 'db'],
  operations: ['domain', 'db', 'menu-rendering'],
  delivery: ['domain', 'db'],
  http: ['domain', 'db'],
  'api/v1': ['http', 'operations', 'menu-rendering', 'db', 'domain'],
  manage: ['http', 'operations', 'menu-rendering', 'db', 'domain'],
  console: ['http', 'operations', 'db', 'domain'],
  demo: ['domain', 'operations', 'menu-rendering', 'db'],
};

const forbidden = [
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ...Object.entries(rooms).map(([room, mayImport]) => ({
    name: `${room} imports only ${mayImport.join(', ') || 'itself'}`,
    severity: 'error',
    from: { path: `^src/${room}/` },
    to: { path: '^src/', pathNot: `^src/(${[room, ...mayImport].join('|')})/` },
  })),
  {
    name: 'cli imports only itself, the client library, the configuration, what starts the service, which PostgreSQL is bundled, and a few ideas of the domain',
    severity: 'error',
    from: { path: '^src/cli/' },
    to: {
      path: '^src/',
      pathNot:
        '^src/(cli/|((config|version|server|start/migrate-installation|embedded/platform-package|domain/(memoize|menu/modifier-groups|near-miss|text-file|uuid|yaml))[.]ts$))',
    },
  },
  {
    name: 'start imports neither the surfaces, which app puts together, nor the command line nor server',
    severity: 'error',
    from: { path: '^src/start/' },
    to: { path: '^src/(api|manage|console|cli)/|^src/server[.]ts$' },
  },
  {
    name: 'the client library stands alone',
    severity: 'error',
    from: { path: '^sdk/' },
    to: { pathNot: '^sdk/' },
  },
  {
    name: 'the console imports only itself, the client library, packages and the checks of a menu',
    severity: 'error',
    from: { path: '^console/' },
    to: {
      path: '^(src|scripts|test|bench)/',
      pathNot: '^src/domain/(faults|json|text-file|yaml|menu/check-configuration)[.]ts$',
    },
  },
  {
    name: 'what the console imports runs in a browser',
    severity: 'error',
    from: { path: '^console/' },
    to: { reachable: true, path: `^(node:|(${builtinModules.join('|')})$)` },
  },
  {
    name: 'a page of the console imports no other page',
    severity: 'error',
    from: { path: '^console/src/pages/([^/]+)/' },
    to: { path: '^console/src/pages/', pathNot: '^console/src/pages/$1/' },
  },
  {
    name: 'parts of the console know nothing of where they are used',
    severity: 'error',
    from: { path: '^console/src/parts/' },
    to: { path: '^console/src/', pathNot: '^console/src/parts/' },
  },
];

const summaries = [
  await look(['src', 'sdk/src'], 'tsconfig.json'),
  await look(['console/src'], 'console/tsconfig.json'),
];
const modules = summaries.reduce((sum, { totalCruised }) => sum + totalCruised, 0);
const imports = summaries.reduce(
  (sum, { totalDependenciesCruised = 0 }) => sum + totalDependenciesCruised,
  0,
);
console.log(`${modules} modules, ${imports} imports: every one allowed.`);

async function look(folders, tsConfig) {
  const { output } = await cruise(folders, {
    ruleSet: { forbidden },
    validate: true,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: tsConfig },
  });
  const { summary } = output;
  for (const violation of summary.violations)
    console.error(`${violation.rule.name}: ${violation.from} -> ${violation.to}`);
  if (summary.totalCruised === 0) console.error('No module was looked at: the check itself is broken.');
  if (summary.totalCruised === 0 || summary.violations.length > 0) process.exit(1);
  return summary;
}
