// Holds every import in src against the table of rooms; a run that saw no module is a failure, not a pass.
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
    name: 'cli imports only itself, the client library, the configuration and what starts the service',
    severity: 'error',
    from: { path: '^src/cli/' },
    to: {
      path: '^src/',
      pathNot: '^src/(cli/|((config|version|server|start/migrate-installation)[.]ts$))',
    },
  },
  {
    name: 'start imports neither the surfaces, which app puts together, nor the command line nor server',
    severity: 'error',
    from: { path: '^src/start/' },
    to: { path: '^src/(api|manage|cli)/|^src/server[.]ts$' },
  },
  {
    name: 'the client library stands alone',
    severity: 'error',
    from: { path: '^sdk/' },
    to: { pathNot: '^sdk/' },
  },
];

const { output } = await cruise(['src', 'sdk/src'], {
  ruleSet: { forbidden },
  validate: true,
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
});

const { summary } = output;
for (const violation of summary.violations) {
  console.error(`${violation.rule.name}: ${violation.from} -> ${violation.to}`);
}
if (summary.totalCruised === 0) console.error('No module was looked at: the check itself is broken.');
if (summary.totalCruised === 0 || summary.violations.length > 0) process.exit(1);
console.log(
  `${summary.totalCruised} modules, ${summary.totalDependenciesCruised ?? 0} imports: every one allowed.`,
);
