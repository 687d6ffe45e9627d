// Holds every import in src, console and guest against the table of rooms; a run that saw no module is a failure, not a pass.
import { builtinModules } from 'node:module';
import { cruise } from 'dependency-cruiser';

/** A room may import only rooms that stand before it. */
const rooms = [
  'support',
  'postgres',
  'access',
  'http',
  'events',
  'audit',
  'tenants',
  'calendar',
  'menus',
  'pace',
  'quotes',
  'orders',
  'sales',
  'feed',
  'webhooks',
  'printers',
  'customers',
  'overview',
  'upkeep',
  'console',
  'guest',
  'agents',
  'demo',
  'start',
];

const forbidden = [
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ...rooms.map((room, i) => ({
    name: `${room} imports only ${rooms.slice(0, i).join(', ') || 'itself'}`,
    severity: 'error',
    from: { path: `^src/${room}/` },
    to: {
      path: '^src/',
      pathNot: `^src/(${rooms.slice(0, i + 1).join('|')})/${room === 'start' ? '|^src/config[.]ts$' : ''}`,
    },
  })),
  {
    name: 'every folder of src is a room',
    severity: 'error',
    from: {},
    to: { path: '^src/[^/]+/', pathNot: `^src/(${rooms.join('|')}|menu-files|cli)/` },
  },
  {
    name: 'SQL stays in postgres and in the *.sql.ts files of a room: only they import a pg package',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/(postgres|start)/|[.]sql[.]ts$' },
    to: { path: 'node_modules/(pg|pg-copy-streams)/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'the command line imports only itself, the client library, the configuration, what starts the service, and pure files',
    severity: 'error',
    from: { path: '^src/cli/' },
    to: {
      path: '^src/',
      pathNot:
        '^src/(cli/|menu-files/|((config|main|start/installation|postgres/bundled/platform-package|menus/(modifier-groups|shapes)|calendar/(wall-clock|hours-text)|orders/(lines|ticket|ticket-words)|guest/code-sheet|support/(version|minor-units|datetime|did-you-mean|error-details|json|text-file|uuid|yaml|example-ids))[.]ts$))',
    },
  },
  {
    name: 'the service never reads menu files: only the command line and the console do',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/(cli|menu-files)/' },
    to: { path: '^src/menu-files/' },
  },
  {
    name: 'menu files know menus, calendars and support alone',
    severity: 'error',
    from: { path: '^src/menu-files/' },
    to: { path: '^src/', pathNot: '^src/(menu-files|menus|calendar|support|tenants/currency)' },
  },
  {
    name: 'the client library stands alone',
    severity: 'error',
    from: { path: '^sdk/' },
    to: { pathNot: '^sdk/' },
  },
  {
    name: 'the console imports only itself, the client library, packages, and pure files about menus and choices, lines and statuses of orders, currencies, clocks, attention, permissions and the sheet of codes',
    severity: 'error',
    from: { path: '^console/' },
    to: {
      path: '^(src|scripts|test|bench)/',
      pathNot:
        '^src/(menu-files/.*|access/permissions|support/(csv|datetime|error-details|json|minor-units|phrases|text-file|yaml)|calendar/(wall-clock|hours-text)|menus/(allergens|kinds|modifier-groups|shapes|publish/(check-configuration|changes))|tenants/currency|orders/(lines|status|ticket|ticket-words|attention/attention-clock)|guest/code-sheet)[.]ts$',
    },
  },
  {
    name: 'the guests’ page imports only itself, packages, the rules of modifier groups, the decimals of currencies, the colours of the console, and types',
    severity: 'error',
    from: { path: '^guest/' },
    to: {
      path: '^(src|sdk|console|scripts|test|bench)/',
      pathNot:
        '^(src/(menus/(allergens|modifier-groups)|support/(minor-units|phrases))[.]ts|console/src/styles/tokens[.]css)$',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'what a page imports runs in a browser',
    severity: 'error',
    from: { path: '^(console|guest)/' },
    to: { reachable: true, path: `^(node:|(${builtinModules.join('|')})$)` },
  },
  {
    name: 'a group of pages of the console imports no other group',
    severity: 'error',
    from: { path: '^console/src/pages/([^/]+)/' },
    to: { path: '^console/src/pages/', pathNot: '^console/src/pages/$1/' },
  },
  {
    name: 'controls of the console know nothing of where they are used, only the language',
    severity: 'error',
    from: { path: '^console/src/ui/' },
    to: { path: '^console/src/', pathNot: '^console/src/(?:ui|text)/' },
  },
];

const summaries = [
  await look(['src', 'sdk/src'], 'tsconfig.json'),
  await look(['console/src'], 'console/tsconfig.json'),
  await look(['guest/src'], 'guest/tsconfig.json'),
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
